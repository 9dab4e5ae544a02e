"""What to do: options and their values, policies, and policies as cards short enough to carry."""
