"""Pictures of exact results."""
