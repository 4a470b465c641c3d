"""What Scripts/bench measures, and how it is told."""
