"""From rules to a model: every roll is played, and every option taken, once in each state."""
