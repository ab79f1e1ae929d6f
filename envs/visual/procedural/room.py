"""The empty room: floor, walls, marked zones, letters on the floor, as colours without light. Own design.

Painted once a scene at full size; lighting is multiplied in afterwards (backdrop.py), so a change of level or colour
never paints it again.
"""

from __future__ import annotations

from typing import Final

from conflictbench.envs.visual.block import Block, Zone
from conflictbench.envs.visual.names import Floor, Wall
from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Camera, Vec3
from conflictbench.envs.visual.procedural.colours import RGB, mix, named, scaled
from conflictbench.envs.visual.procedural.glyph import Box
from conflictbench.envs.visual.procedural.noise import noise
from conflictbench.envs.visual.procedural.sheet import Sheet
from conflictbench.envs.visual.procedural.text import width

UNITS: Final = 100.0  # sheet units a metre
FRONT: Final = -3.0  # metres that floor and side walls go on towards the viewer
STRIPE: Final = 0.2  # metres, width of a marking
LABEL_GAP: Final = 26.0  # centimetres between a zone and its name

FLOORS: Final[dict[Floor, RGB]] = {
    "asphalt": (0.20, 0.20, 0.215),
    "concrete": (0.40, 0.40, 0.39),
    "concrete_tiles": (0.40, 0.385, 0.37),
    "grating": (0.23, 0.25, 0.27),
    "hospital_vinyl": (0.47, 0.53, 0.53),
    "ice": (0.50, 0.60, 0.68),
    "planks": (0.42, 0.31, 0.21),
    "rock": (0.30, 0.275, 0.25),
    "rubber": (0.19, 0.20, 0.235),
    "soil": (0.29, 0.225, 0.165),
    "steel_plate": (0.36, 0.38, 0.40),
}
WALLS: Final[dict[Wall, RGB]] = {
    "brick": (0.40, 0.27, 0.22),
    "concrete": (0.40, 0.395, 0.385),
    "ice": (0.48, 0.59, 0.68),
    "open": (0.10, 0.12, 0.17),
    "panels": (0.42, 0.41, 0.415),
    "planks": (0.38, 0.28, 0.20),
    "rock": (0.27, 0.25, 0.235),
    "steel": (0.35, 0.38, 0.41),
    "tiles": (0.58, 0.64, 0.63),
}
ROUGH: Final[dict[str, float]] = {  # how strong the grain of a surface is
    "asphalt": 0.5, "concrete": 0.28, "concrete_tiles": 0.22, "grating": 0.12, "hospital_vinyl": 0.08, "ice": 0.22,
    "planks": 0.24, "rock": 0.75, "rubber": 0.12, "soil": 0.6, "steel_plate": 0.14, "brick": 0.3, "panels": 0.1,
    "steel": 0.12, "tiles": 0.06, "open": 0.0,
}  # fmt: skip


def sign_box(block: Block) -> Box:
    """Lower and upper corner of the room's sign, on the back wall."""
    wide, deep, _ = block.room.size
    return ((wide * 0.045, deep - 0.02, 2.45), (wide * 0.265, deep - 0.02, 3.0))


def label_size(zone: Zone) -> float:
    """Size of a zone's name on the floor before it, in centimetres."""
    return min(62.0, 46 + (zone.rect[2] - zone.rect[0]) * UNITS * 0.05)


def label_corners(zone: Zone) -> tuple[Vec3, Vec3]:
    """Near left and far right corner of the floor that a zone's name takes up."""
    x0, front, x1, _ = zone.rect
    size = label_size(zone)
    half = min((x1 - x0) * 0.94, width(zone.label, "bold", size) / UNITS) / 2
    middle, base = (x0 + x1) / 2, front - (LABEL_GAP + size * 0.75) / UNITS
    return (middle - half, base, 0.0), (middle + half, base + 0.72 * size / UNITS, 0.0)


class RoomPainter:
    """Paints one room's surfaces with a brush whose origin is the room's corner."""

    def __init__(self, block: Block, camera: Camera, sides: dict[str, RGB]) -> None:
        """`sides`: zone id -> colour of whose it is."""
        self.block = block
        self.camera = camera
        self.sides = sides
        self.wide, self.deep, self.high = block.room.size

    def walls(self, brush: Brush) -> None:
        """Back and side walls with what hangs on every wall of the kind."""
        kind = self.block.room.wall
        back = ((0.0, self.deep, self.high), (self.wide, 0.0, 0.0), self.wide)
        long = self.deep - self._front()
        left = ((0.0, self._front(), self.high), (0.0, long, 0.0), long)
        right = ((self.wide, self.deep, self.high), (0.0, -long, 0.0), long)
        for number, (corner, along, metres) in enumerate((left, right, back)):
            with brush.sheet(corner, along, (0.0, 0.0, -self.high), metres * UNITS) as wall:
                self._wall(wall, kind, number, metres)
        if kind not in ("open", "ice", "rock"):
            self._conduits(brush)
        sign = self.block.room.sign
        if sign:
            (x, y, low), (end, _, top) = sign_box(self.block)
            with brush.sheet((x, y, top), (end - x, 0.0, 0.0), (0.0, 0.0, low - top), 300) as board:
                board.text(4, 46, sign, 46, (0.86, 0.86, 0.85), room=292, alpha=0.75)

    def _conduits(self, brush: Brush) -> None:
        """Pipes and a cable tray along the top of the back wall, with lamps over the room."""
        y = self.deep - 0.14
        for z, radius, colour in ((3.42, 0.075, (0.36, 0.35, 0.34)), (3.24, 0.045, (0.30, 0.36, 0.42))):
            if z < self.high:
                brush.tube([(0.05, y, z), (self.wide - 0.05, y, z)], radius, colour, gloss=0.15)
        x = 0.9
        while x < self.wide:
            brush.box((x, y - 0.10, 3.12), (x + 0.10, y + 0.12, 3.52), (0.24, 0.24, 0.25), foot=1.0, edge=0.0)
            x += 1.9
        for x in (self.wide * 0.13, self.wide * 0.87):
            low, high = (x - 0.32, self.deep - 0.02, 1.0), (x + 0.32, self.deep - 0.02, 1.75)
            with brush.sheet((low[0], low[1], high[2]), (0.64, 0.0, 0.0), (0.0, 0.0, low[2] - high[2]), 64) as box:
                box.rect(0, 0, box.wide, box.high, (0.30, 0.31, 0.33), radius=3)
                box.rect(3, 3, box.wide - 6, box.high - 6, (0.36, 0.37, 0.39), radius=2)
                for k in range(4):
                    box.rect(9, 12 + k * 7, box.wide - 18, 2.5, (0.2, 0.2, 0.21))
                box.polygon([(32, 44), (42, 62), (22, 62)], (0.85, 0.66, 0.14))

    def floor(self, brush: Brush) -> None:
        """The floor, then the zones upon it."""
        front = self._front()
        long = self.deep - front
        kind = self.block.room.floor
        with brush.sheet((0.0, self.deep, 0.0), (self.wide, 0.0, 0.0), (0.0, -long, 0.0), self.wide * UNITS) as sheet:
            self._floor(sheet, kind)
            for zone in self.block.zones:
                self._zone(sheet, zone)

    def _front(self) -> float:
        """How far towards the viewer surfaces go: never behind the camera."""
        front = FRONT
        while (
            front < self.deep - 1
            and min(_ahead(self.camera, (x, front, z)) for x in (0.0, self.wide) for z in (0.0, self.high)) < 0.5
        ):
            front += 0.25
        return front

    def _floor(self, sheet: Sheet, kind: Floor) -> None:
        colour = FLOORS[kind]
        sheet.rect(0, 0, sheet.wide, sheet.high, colour)
        dark = scaled(colour, 0.72)
        light = mix(colour, (1.0, 1.0, 1.0), 0.10)
        if kind in ("concrete_tiles", "hospital_vinyl", "steel_plate", "rubber"):
            step = {"concrete_tiles": 100.0, "hospital_vinyl": 160.0, "steel_plate": 200.0, "rubber": 80.0}[kind]
            columns, rows = int(sheet.wide / step) + 1, int(sheet.high / step) + 1
            for i in range(columns):
                for j in range(rows):
                    shade = 0.93 + 0.14 * noise("tile", kind, i, j)
                    sheet.rect(i * step + 1, j * step + 1, step - 2, step - 2, scaled(colour, shade))
            for i in range(columns):
                sheet.line([(i * step, 0), (i * step, sheet.high)], dark, 3.0 if kind != "hospital_vinyl" else 1.2)
            for j in range(rows):
                sheet.line([(0, j * step), (sheet.wide, j * step)], dark, 3.0 if kind != "hospital_vinyl" else 1.2)
            if kind == "steel_plate":
                for i in range(columns):
                    for j in range(rows):
                        for dx, dy in ((10, 10), (190, 10), (10, 190), (190, 190)):
                            sheet.circle(i * step + dx, j * step + dy, 3.0, light)
        elif kind == "grating":
            for i in range(int(sheet.wide / 25) + 1):
                sheet.line([(i * 25, 0), (i * 25, sheet.high)], dark, 5.0)
            for j in range(int(sheet.high / 100) + 1):
                sheet.line([(0, j * 100), (sheet.wide, j * 100)], light, 5.0)
        elif kind == "planks":
            for j in range(int(sheet.high / 36) + 1):
                sheet.rect(0, j * 36 + 1, sheet.wide, 34, scaled(colour, 0.82 + 0.32 * noise("plank", j)))
                x = 300 * noise("joint", j)
                while x < sheet.wide:
                    sheet.line([(x, j * 36), (x, j * 36 + 36)], dark, 2.5)
                    x += 240 + 160 * noise("joint", j, int(x))
        elif kind == "asphalt":
            for y in (sheet.high * 0.30, sheet.high * 0.80):
                x = 0.0
                while x < sheet.wide:
                    sheet.rect(x, y, 110, 9, (0.62, 0.62, 0.58), alpha=0.55)
                    x += 190
        elif kind in ("ice", "rock", "soil", "concrete"):
            for k in range(26):
                x, y = sheet.wide * noise(kind, k, "x"), sheet.high * noise(kind, k, "y")
                points = [(x, y)]
                for bend in range(4):
                    x += 90 * (noise(kind, k, bend, "dx") - 0.4)
                    y += 60 * (noise(kind, k, bend, "dy") - 0.5)
                    points.append((x, y))
                sheet.line(points, light if kind == "ice" else dark, 2.2, alpha=0.5)

    def _wall(self, sheet: Sheet, kind: Wall, number: int, metres: float) -> None:
        colour = WALLS[kind] if number == 2 else scaled(WALLS[kind], 0.86)
        sheet.rect(0, 0, sheet.wide, sheet.high, colour)
        dark, light = scaled(colour, 0.68), mix(colour, (1.0, 1.0, 1.0), 0.13)
        if kind == "open":
            self._outdoors(sheet, number)
            return
        if kind == "panels":
            x = 0.0
            while x < sheet.wide:
                sheet.rect(x + 3, 8, 157, sheet.high - 60, scaled(colour, 0.95 + 0.1 * noise("panel", number, int(x))))
                sheet.rect(x + 3, 8, 157, 4, light)
                sheet.rect(x, 0, 4, sheet.high, dark)
                x += 163
            sheet.rect(0, sheet.high * 0.47, sheet.wide, 5, dark, alpha=0.7)
        elif kind == "steel":
            x = 0.0
            while x < sheet.wide:
                sheet.rect(x, 0, 26, sheet.high, dark)
                sheet.rect(x + 3, 0, 5, sheet.high, light)
                x += 130
            for y in (0.3, 0.68):
                sheet.rect(0, sheet.high * y, sheet.wide, 12, dark)
                sheet.rect(0, sheet.high * y, sheet.wide, 3, light)
        elif kind == "tiles":
            step = 40.0
            for j in range(int(sheet.high / step) + 1):
                sheet.line([(0, j * step), (sheet.wide, j * step)], dark, 1.6, alpha=0.6)
            for i in range(int(sheet.wide / step) + 1):
                sheet.line([(i * step, 0), (i * step, sheet.high)], dark, 1.6, alpha=0.6)
            sheet.rect(0, sheet.high * 0.46, sheet.wide, 22, mix(colour, (0.2, 0.55, 0.55), 0.55))
        elif kind in ("brick", "planks"):
            high, wide = (15.0, 44.0) if kind == "brick" else (30.0, 320.0)
            for j in range(int(sheet.high / high) + 1):
                offset = (j % 2) * wide / 2 if kind == "brick" else 320 * noise("board", number, j)
                sheet.line([(0, j * high), (sheet.wide, j * high)], dark, 2.0, alpha=0.8)
                x = offset - wide
                while x < sheet.wide:
                    shade = 0.84 + 0.3 * noise(kind, number, j, int(x))
                    sheet.rect(x + 1, j * high + 1, wide - 2, high - 2, scaled(colour, shade))
                    x += wide
        else:  # concrete, rock, ice
            step = 240.0 if kind == "concrete" else 170.0
            x = step
            while x < sheet.wide:
                if kind == "concrete":
                    sheet.rect(x, 0, 4, sheet.high, dark)
                    for y in (0.25, 0.75):
                        sheet.circle(x - step / 2, sheet.high * y, 5, dark)
                else:
                    points = [(x + 46 * (noise(kind, number, int(x), k) - 0.5), sheet.high * k / 7) for k in range(8)]
                    sheet.line(points, light if kind == "ice" else dark, 5.0, alpha=0.55)
                x += step
            if kind == "concrete":
                sheet.rect(0, sheet.high * 0.5, sheet.wide, 3, dark)
        if kind not in ("rock", "ice", "planks"):
            sheet.rect(0, sheet.high - 26, sheet.wide, 26, scaled(dark, 0.8))
            sheet.rect(0, sheet.high - 28, sheet.wide, 3, light, alpha=0.5)
        if number == 2 and kind in ("panels", "concrete", "steel"):
            amber: RGB = (0.72, 0.52, 0.14)
            sheet.rect(0, sheet.high * 0.545, sheet.wide, 7, amber, alpha=0.55)

    def _outdoors(self, sheet: Sheet, number: int) -> None:
        """A night sky over a low skyline."""
        bands = 14
        for k in range(bands):
            sky = mix((0.07, 0.09, 0.16), (0.30, 0.30, 0.36), (k / (bands - 1)) ** 1.6)
            sheet.rect(0, sheet.high * k / bands, sheet.wide, sheet.high / bands + 1, sky)
        x = -40.0
        while x < sheet.wide:
            wide = 60 + 130 * noise("hill", number, int(x))
            high = 26 + 60 * noise("rise", number, int(x))
            sheet.rect(x, sheet.high - high, wide, high, (0.085, 0.095, 0.12))
            x += wide

    def _zone(self, sheet: Sheet, zone: Zone) -> None:
        x0, y1, x1, y0 = zone.rect[0], self.deep - zone.rect[1], zone.rect[2], self.deep - zone.rect[3]
        x, y, wide, high = x0 * UNITS, y0 * UNITS, (x1 - x0) * UNITS, (y1 - y0) * UNITS
        colour = self.sides[zone.id]
        sheet.rect(x, y, wide, high, colour, alpha=0.10)
        band = STRIPE * UNITS
        if zone.marking == "hazard_stripes":
            yellow, black = named("amber"), (0.07, 0.07, 0.075)
            for strip in (
                (x, y, wide, band), (x, y + high - band, wide, band), (x, y, band, high),
                (x + wide - band, y, band, high),
            ):  # fmt: skip
                sheet.stripes(*strip, scaled(yellow, 0.82), black, step=22)
        elif zone.marking in ("line", "dashed"):
            self._outline(sheet, x, y, wide, high, mix(colour, (0.9, 0.9, 0.9), 0.25), dashed=zone.marking == "dashed")
        else:
            self._outline(
                sheet, x, y, wide, high, mix(colour, (0.8, 0.8, 0.8), 0.4), dashed=False, alpha=0.28, stroke=6
            )
        size = label_size(zone)
        place = (x + wide / 2, y + high + LABEL_GAP + size * 0.75)
        dark = FLOORS[self.block.room.floor][1] < 0.45
        ground = scaled(FLOORS[self.block.room.floor], 0.25)
        sheet.text(place[0] + 3, place[1] + 4, zone.label, size, ground, align="center", room=wide * 0.94, alpha=0.75)
        letters = mix(colour, (1.0, 1.0, 1.0), 0.12) if dark else scaled(colour, 0.78)
        sheet.text(*place, zone.label, size, letters, align="center", room=wide * 0.94, alpha=0.9)

    @staticmethod
    def _outline(
        sheet: Sheet, x: float, y: float, wide: float, high: float, colour: RGB, *, dashed: bool, alpha: float = 0.75,
        stroke: float = 11.0,
    ) -> None:  # fmt: skip
        if not dashed:
            sheet.rect(x + stroke / 2, y + stroke / 2, wide - stroke, high - stroke, colour, alpha=alpha, stroke=stroke)
            return
        for k in range(int(wide / 70) + 1):
            for top in (y, y + high):
                sheet.line([(x + k * 70, top), (min(x + k * 70 + 38, x + wide), top)], colour, stroke, alpha=alpha)
        for k in range(int(high / 70) + 1):
            for left in (x, x + wide):
                sheet.line([(left, y + k * 70), (left, min(y + k * 70 + 38, y + high))], colour, stroke, alpha=alpha)


def _ahead(camera: Camera, point: Vec3) -> float:
    """Metres before the camera's plane, negative behind it."""
    return sum((point[c] - camera.pos[c]) * camera.forward[c] for c in range(3))
