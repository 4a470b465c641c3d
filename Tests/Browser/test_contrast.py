"""The contrast of text in drawings, which axe does not check."""
from . import browser, kinds

# Each text with the colour below its middle: the last painted shape of the drawing, or the background.
MEASURE = """() => {
    // A canvas converts every notation, such as oklab(), to bytes.
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const light = (colour) => {
        const [r, g, b] = parse(colour).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => {
        const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
    };
    const isSeen = (colour) => colour !== 'none' && (parse(colour)[3] ?? 1) === 1;
    const ground = (element) => {
        while (element && !isSeen(getComputedStyle(element).backgroundColor)) element = element.parentElement;
        return element ? getComputedStyle(element).backgroundColor : 'rgb(255, 255, 255)';
    };
    return [...document.querySelectorAll('svg')].flatMap((svg) => {
        const shapes = [...svg.querySelectorAll('rect, circle, path')].map((shape) => ({ shape, box: shape.getBoundingClientRect() }));
        return [...svg.querySelectorAll('text')].filter((text) => text.getClientRects().length && text.textContent.trim()).map((text) => {
            const box = text.getBoundingClientRect();
            const x = box.x + box.width / 2, y = box.y + box.height / 2;
            const below = shapes.filter(({ shape, box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom
                && shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && isSeen(getComputedStyle(shape).fill)).pop();
            const colour = below ? getComputedStyle(below.shape).fill : ground(svg.parentElement);
            return { text: text.textContent, ink: getComputedStyle(text).fill, colour, ratio: ratio(getComputedStyle(text).fill, colour) };
        });
    });
}"""


class ContrastTest(browser.BrowserTest):
    def test_text_in_drawings_has_enough_contrast(self):
        for path in (kinds.ENGLISH["figures"], "ru/" + kinds.ENGLISH["figures"]):
            for scheme in ("light", "dark"):
                for width in browser.WIDTHS:
                    with self.part(path=path, scheme=scheme, width=width):
                        self.open(path, scheme=scheme, width=width)
                        texts = self.page.evaluate(MEASURE)
                        self.assertGreater(len(texts), 15)
                        # WCAG 2.2, 1.4.3: 4.5 to 1.
                        self.assertEqual([text for text in texts if text["ratio"] < 4.5], [])
