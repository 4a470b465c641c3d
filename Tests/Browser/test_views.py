"""Compares small screenshots of the sample with those in Tests/Browser/views. UPDATE_DOCS=1 replaces them."""
import io
import os

from PIL import Image, ImageChops

from . import browser, kinds

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "views")
VIEWS = [
    ("sample", kind) for kind in ("list", "character", "episode", "location", "episodes", "locations", "figures", "search", "ru-list")
] + [("media", kind) for kind in ("media-searches", "media-list", "media-movie")]
# The screenshots are made four times smaller. Fonts and dates differ a little between runs and machines.
SCALE = 4
FAR = 40  # of 255: the distance of a colour channel at which a pixel counts as different
PART = 0.03  # the part of the pixels that may be different


def differing(one, other):
    """The part of the pixels that differ, from 0 to 1."""
    if one.size != other.size:
        return 1
    bands = [band.point(lambda value: 255 if value > FAR else 0) for band in ImageChops.difference(one, other).split()]
    far = ImageChops.lighter(ImageChops.lighter(*bands[:2]), bands[2])
    return far.histogram()[255] / (far.width * far.height)


class ViewsTest(browser.BrowserTest):
    def test_views_look_like_their_golden_screenshots(self):
        for site, kind in VIEWS:
            for width in (390, 1280):
                name = f"{kind}-{width}.webp"
                with self.part(view=name):
                    page = browser.lasting(site, "http")[1]
                    # The display face is optional, so whether it is there in time differs.
                    page.route("**/*.woff2", lambda route: route.abort())
                    self.addCleanup(page.unroute, "**/*.woff2")
                    self.open(kinds.PATHS[kind], site=site, width=width)
                    self.expect_problem(r"\.woff2")
                    # An earlier test may have left the page at another position, which browsers restore.
                    self.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
                    self.observe("settled")
                    shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
                    shot = shot.resize((shot.width // SCALE, shot.height // SCALE), Image.Resampling.LANCZOS)
                    path = os.path.join(FOLDER, name)
                    if os.environ.get("UPDATE_DOCS"):
                        os.makedirs(FOLDER, exist_ok=True)
                        shot.save(path, quality=80, method=6)
                    with Image.open(path) as golden:
                        part = differing(golden.convert("RGB"), shot)
                    self.assertLessEqual(part, PART, f"{part:.1%} of {name} differ; if the new view is right, renew it with UPDATE_DOCS=1")

    def test_another_picture_differs(self):
        self.assertGreater(differing(Image.new("RGB", (20, 20), "white"), Image.new("RGB", (20, 20), "black")), PART)
