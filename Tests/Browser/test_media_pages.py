"""What holds on every kind of page of the second catalogue, at both widths and in both themes."""
from . import kinds, test_pages


class MediaPagesTest(test_pages.PagesTest):
    site = "media"
    kinds = kinds.MEDIA


class MediaIncompleteTest(test_pages.IncompleteTest):
    site = "media"
    kinds = kinds.MEDIA
