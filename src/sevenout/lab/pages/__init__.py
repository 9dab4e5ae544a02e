"""The pages of the lab, one module each; a module registers its page in `register`."""
