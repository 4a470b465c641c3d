"""Lets programs of others judge the packages. Scripts/judge-archives runs it."""
