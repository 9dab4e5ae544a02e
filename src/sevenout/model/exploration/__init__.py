"""From rules to a model: every roll and every option, once in each state."""
