"""The parts of pages: cards, charts, figures and copies."""
