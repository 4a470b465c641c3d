"""Checks the packages with other programs. Scripts/judge-archives runs it."""
