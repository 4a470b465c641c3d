"""Tests the site in a real browser. Scripts/browser-test runs them."""
