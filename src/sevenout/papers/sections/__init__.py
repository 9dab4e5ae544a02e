"""The sections of the sheet and the dossier."""
