"""What pages are made of: cards, charts, figures and copies."""
