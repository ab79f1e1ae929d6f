"""The few shapes a drawing needs, as SVG text: escaped, and the same bytes every time. Own design."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


class Svg:
    """Collects shapes; units are pixels, y downwards."""

    def __init__(self, *, width: float, height: float, background: str) -> None:
        self._size = (width, height)
        self._shapes: list[str] = []
        self.rectangle(0, 0, width, height, fill=background)

    def rectangle(self, x: float, y: float, width: float, height: float, *, fill: str, tooltip: str = "") -> None:
        """A filled rectangle."""
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        self._add("rect", f'{place} fill="{fill}"', tooltip)

    def circle(self, x: float, y: float, radius: float, *, fill: str, stroke: str, tooltip: str = "") -> None:
        """A filled circle with an outline."""
        self._add("circle", f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{stroke}"', tooltip)

    def curve(self, x0: float, y0: float, x1: float, y1: float, *, stroke: str) -> None:
        """A line that leaves and arrives horizontally."""
        middle = _n((x0 + x1) / 2)
        path = f"M{_n(x0)} {_n(y0)} C{middle} {_n(y0)} {middle} {_n(y1)} {_n(x1)} {_n(y1)}"
        self._add("path", f'd="{path}" fill="none" stroke="{stroke}" stroke-width="1.6"', "")

    def line(self, points: Sequence[tuple[float, float]], *, stroke: str, width: float = 1.6) -> None:
        """Straight from point to point."""
        self._add(
            "polyline", f'points="{_points(points)}" fill="none" stroke="{stroke}" stroke-width="{_n(width)}"', ""
        )

    def area(self, points: Sequence[tuple[float, float]], *, fill: str, opacity: float) -> None:
        """What lies between the points, see-through; opacity in 0..1."""
        self._add("polygon", f'points="{_points(points)}" fill="{fill}" fill-opacity="{opacity:g}"', "")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float,
        fill: str,
        anchor: str = "start",
        bold: bool = False,
        halo: bool = True,
    ) -> None:
        """A line of text; `anchor` is start, middle or end; a `halo` keeps it legible over lines."""
        weight = ' font-weight="bold"' if bold else ""
        look = f'font-size="{_n(size)}" fill="{fill}" text-anchor="{anchor}"{weight}'
        look += ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' if halo else ""
        self._shapes.append(f'<text x="{_n(x)}" y="{_n(y)}" {look}>{escape(words)}</text>')

    def document(self, *, title: str) -> str:
        """The whole drawing."""
        width, height = map(_n, self._size)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        head += f'viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">'
        return "\n".join([head, f"<title>{escape(title)}</title>", *self._shapes, "</svg>"]) + "\n"

    def _add(self, shape: str, attributes: str, tooltip: str) -> None:
        inside = f"><title>{escape(tooltip)}</title></{shape}>" if tooltip else "/>"
        self._shapes.append(f"<{shape} {attributes}{inside}")


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
