"""The tests of every kind of page, for the second catalogue."""
from . import kinds, test_pages


class MediaPagesTest(test_pages.PagesTest):
    site = "media"
    kinds = kinds.MEDIA


class MediaIncompleteTest(test_pages.IncompleteTest):
    site = "media"
    kinds = kinds.MEDIA
