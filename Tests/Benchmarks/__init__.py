"""Tests of what Scripts/bench reckons and writes."""
