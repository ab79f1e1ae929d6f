"""People: a skeleton of joints in metres, posed, mixed between two poses, and drawn as round limbs. Own design.

Feet at the origin, facing the viewer (towards -y). Everything is 1.1 times life size: legible from a camera under the
ceiling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from typing import Final

from conflictbench.envs.visual.procedural.brush import Brush
from conflictbench.envs.visual.procedural.camera import Vec3, lerp
from conflictbench.envs.visual.procedural.colours import RGB, mix

PHASES: Final = 8
SIZE: Final = 1.1
WHITE: RGB = (1.0, 1.0, 1.0)
FIGURE: Final = 0.80  # cloth and skin take less light than steel
DARK: RGB = (0.05, 0.055, 0.07)
JOINTS: Final = (
    "head", "neck", "shoulder_l", "elbow_l", "hand_l", "shoulder_r", "elbow_r", "hand_r",
    "hip_l", "knee_l", "foot_l", "hip_r", "knee_r", "foot_r",
)  # fmt: skip

Skeleton = dict[str, Vec3]


@dataclass(frozen=True)
class Outfit:
    """What somebody wears."""

    coat: RGB
    trousers: RGB
    vest: RGB | None = None  # over the coat, with a bright band
    hat: RGB | None = None
    hair: RGB = (0.16, 0.11, 0.08)
    skin: RGB = (0.80, 0.60, 0.46)
    size: float = 1.0
    pack: RGB | None = None  # bottles on the back
    cross: bool = False


def _upright(**moved: Vec3) -> Skeleton:
    bones: Skeleton = {
        "head": (0.0, 0.0, 1.64), "neck": (0.0, 0.0, 1.47),
        "shoulder_l": (-0.19, 0.0, 1.41), "elbow_l": (-0.25, 0.02, 1.14), "hand_l": (-0.25, -0.06, 0.88),
        "shoulder_r": (0.19, 0.0, 1.41), "elbow_r": (0.25, 0.02, 1.14), "hand_r": (0.25, -0.06, 0.88),
        "hip_l": (-0.10, 0.0, 0.93), "knee_l": (-0.12, -0.02, 0.50), "foot_l": (-0.13, -0.04, 0.06),
        "hip_r": (0.10, 0.0, 0.93), "knee_r": (0.12, -0.02, 0.50), "foot_r": (0.13, -0.04, 0.06),
    }  # fmt: skip
    bones.update(moved)
    return bones


EVEN: Final = {"alarm": (0, 1, 2, 1, 0, 5, 6, 5), "crouch": (0, 1, 2, 1, 0, 5, 6, 5), "work": (0, 1, 2, 1, 0, 5, 6, 5)}


def distinct(pose: str, phase: int) -> int:
    """The first phase that looks like this one: a movement to and fro passes the same places twice."""
    return EVEN[pose][phase] if pose in EVEN else phase


@cache
def skeleton(pose: str, phase: int) -> Skeleton:
    """Joints of a pose at a phase of its movement, 0..7."""
    turn = 2 * pi * phase / PHASES
    s, c = sin(turn), cos(turn)
    if pose == "walk":
        swing, lift = 0.26 * s, 0.10
        return _upright(
            head=(0.03, 0.0, 1.63 + 0.02 * abs(s)), neck=(0.015, 0.0, 1.46 + 0.02 * abs(s)),
            foot_l=(-0.10 + swing, -0.05, 0.06 + lift * max(0.0, c)),
            knee_l=(-0.08 + swing * 0.7, -0.08, 0.50 + 0.4 * lift * max(0.0, c)),
            foot_r=(0.10 - swing, -0.05, 0.06 + lift * max(0.0, -c)),
            knee_r=(0.08 - swing * 0.7, -0.08, 0.50 + 0.4 * lift * max(0.0, -c)),
            elbow_l=(-0.24 - swing * 0.5, 0.0, 1.15), hand_l=(-0.20 - swing, -0.12, 0.95),
            elbow_r=(0.24 + swing * 0.5, 0.0, 1.15), hand_r=(0.20 + swing, -0.12, 0.95),
        )  # fmt: skip
    if pose == "work":
        return _upright(
            head=(0.02, -0.10, 1.60), neck=(0.01, -0.05, 1.45),
            elbow_l=(-0.27, -0.16, 1.18), hand_l=(-0.12, -0.38, 1.12 + 0.05 * s),
            elbow_r=(0.27, -0.16, 1.20), hand_r=(0.14, -0.40, 1.20 - 0.07 * s),
        )  # fmt: skip
    if pose == "alarm":
        return _upright(
            head=(0.03 * s, 0.0, 1.63), elbow_l=(-0.40, -0.02, 1.56), hand_l=(-0.36 - 0.10 * s, -0.05, 1.86),
            elbow_r=(0.40, -0.02, 1.58), hand_r=(0.37 - 0.10 * s, -0.05, 1.89),
            foot_l=(-0.20, -0.04, 0.06), knee_l=(-0.17, -0.05, 0.49),
            foot_r=(0.20, -0.04, 0.06), knee_r=(0.17, -0.05, 0.49),
        )  # fmt: skip
    if pose == "crouch":
        sway = 0.012 * s
        return _upright(
            head=(sway, -0.30, 1.00), neck=(sway, -0.22, 0.88),
            shoulder_l=(-0.19, -0.18, 0.84), shoulder_r=(0.19, -0.18, 0.84),
            elbow_l=(-0.30, -0.34, 0.72), hand_l=(-0.10, -0.44, 0.96),
            elbow_r=(0.30, -0.34, 0.72), hand_r=(0.10, -0.44, 0.98),
            hip_l=(-0.11, 0.04, 0.42), knee_l=(-0.20, -0.30, 0.46), foot_l=(-0.17, -0.06, 0.06),
            hip_r=(0.11, 0.04, 0.42), knee_r=(0.20, -0.30, 0.46), foot_r=(0.17, -0.06, 0.06),
        )  # fmt: skip
    if pose == "down":
        return {
            "head": (-0.78, -0.02, 0.14), "neck": (-0.62, 0.0, 0.15),
            "shoulder_l": (-0.56, -0.17, 0.13), "elbow_l": (-0.40, -0.36, 0.08), "hand_l": (-0.62, -0.46, 0.06),
            "shoulder_r": (-0.54, 0.16, 0.15), "elbow_r": (-0.28, 0.26, 0.10), "hand_r": (-0.04, 0.22, 0.06),
            "hip_l": (-0.06, -0.09, 0.14), "knee_l": (0.34, -0.20, 0.16), "foot_l": (0.66, -0.06, 0.07),
            "hip_r": (-0.06, 0.10, 0.14), "knee_r": (0.37, 0.12, 0.12), "foot_r": (0.80, 0.16, 0.07),
        }  # fmt: skip
    return _upright(
        head=(0.012 * s, 0.0, 1.64), hand_l=(-0.25, -0.06 - 0.015 * c, 0.88), hand_r=(0.25, -0.06 + 0.015 * c, 0.88)
    )


def posed(before: str, after: str, share: float, phase: int, facing: float, size: float) -> Skeleton:
    """Joints between two poses; `facing` turns the body about its axis: 0 to the viewer, -1 left, 1 right."""
    first, second = skeleton(before, phase), skeleton(after, phase)
    turn = facing * 1.1
    s, c = sin(turn), cos(turn)
    found: Skeleton = {}
    for joint in JOINTS:
        x, y, z = lerp(first[joint], second[joint], share)
        found[joint] = ((x * c - y * s) * size * SIZE, (x * s + y * c) * size * SIZE, z * size * SIZE)
    return found


class _Pen:
    """Limbs of one figure: dark outline, body, a lighter band on the side of the lamps."""

    def __init__(self, brush: Brush, size: float) -> None:
        self.brush = brush
        self.k = size
        light = brush.light((0.0, 0.0, 1.2), (0.0, -0.75, 0.66))
        self.light = (light[0] * FIGURE, light[1] * FIGURE, light[2] * FIGURE)

    def lit(self, colour: RGB, factor: float = 1.0) -> RGB:
        """A colour in the light of the figure."""
        light = self.light
        return (colour[0] * light[0] * factor, colour[1] * light[1] * factor, colour[2] * light[2] * factor)

    def limbs(self, lines: list[list[Vec3]], width: float, colour: RGB) -> None:
        """Limbs of one thickness and colour."""
        k = self.k
        self.brush.lines(lines, (width + 0.035) * k, DARK, alpha=0.9)
        self.brush.lines(lines, width * k, self.lit(colour, 0.80))
        raised = [[(x - 0.012 * k, y, z + 0.016 * k) for x, y, z in points] for points in lines]
        self.brush.lines(raised, width * 0.5 * k, self.lit(mix(colour, WHITE, 0.10)))


def draw_figure(brush: Brush, bones: Skeleton, outfit: Outfit, *, load: RGB | None = None) -> None:
    """One person; `load`: a box of that colour in both hands."""
    k = outfit.size * SIZE
    pen = _Pen(brush, k)
    brush.shadow(0.36 * k if bones["head"][2] > 0.6 else 0.85 * k, 0.20 * k, 0.5)
    if outfit.pack is not None:
        hips = lerp(bones["hip_l"], bones["hip_r"], 0.5)
        spine = lerp(bones["neck"], hips, 0.1), lerp(bones["neck"], hips, 0.75)
        pen.limbs([[(p[0], p[1] + 0.14 * k, p[2]) for p in spine]], 0.26, outfit.pack)
    far, near = sorted(("l", "r"), key=lambda side: -bones[f"foot_{side}"][1])
    legs = [[bones[f"{joint}_{side}"] for joint in ("hip", "knee", "foot")] for side in (far, near)]
    pen.limbs(legs, 0.14, outfit.trousers)
    feet = [[foot, (foot[0], foot[1] - 0.10 * k, foot[2] - 0.015 * k)] for foot in (leg[-1] for leg in legs)]
    brush.lines(feet, 0.115 * k, DARK)
    brush.lines(feet, 0.075 * k, pen.lit((0.15, 0.13, 0.12)))
    arms = sorted(("l", "r"), key=lambda side: -bones[f"hand_{side}"][1])
    behind = [side for side in arms if bones[f"hand_{side}"][1] > 0.0 and bones["head"][2] > 0.6]
    for side in behind:
        _arm(pen, bones, side, outfit)
    _torso(pen, bones, outfit)
    for side in arms:
        if side not in behind:
            _arm(pen, bones, side, outfit)
    if load is not None:
        x, y, z = lerp(bones["hand_l"], bones["hand_r"], 0.5)
        half = 0.17 * k
        brush.box((x - half, y - 0.2 * k, z - 0.06), (x + half, y, z + 0.2 * k), load)
    _head(pen, bones, outfit)


def _arm(pen: _Pen, bones: Skeleton, side: str, outfit: Outfit) -> None:
    hand = bones[f"hand_{side}"]
    pen.limbs([[bones[f"shoulder_{side}"], bones[f"elbow_{side}"], hand]], 0.105, outfit.coat)
    pen.brush.dot(hand, 0.062 * pen.k, DARK)
    pen.brush.dot(hand, 0.05 * pen.k, pen.lit(outfit.skin))


def _torso(pen: _Pen, bones: Skeleton, outfit: Outfit) -> None:
    brush, k = pen.brush, pen.k
    left, right = bones["shoulder_l"], bones["shoulder_r"]
    low_l, low_r = bones["hip_l"], bones["hip_r"]
    shape = [left, right, lerp(right, low_r, 0.55), low_r, low_l, lerp(left, low_l, 0.55)]
    top = outfit.vest or outfit.coat
    brush.line(shape, 0.165 * k, DARK, closed=True, alpha=0.9)
    brush.line(shape, 0.13 * k, pen.lit(top, 0.85), closed=True)
    brush.polygon(shape, pen.lit(top, 0.85))
    chest = [lerp(left, right, 0.22), lerp(left, right, 0.6), lerp(low_l, low_r, 0.6), lerp(low_l, low_r, 0.22)]
    brush.polygon(chest, pen.lit(mix(top, WHITE, 0.13)))
    if outfit.vest is not None:
        bands = []
        for share in (0.42, 0.72):
            a, b = lerp(left, low_l, share), lerp(right, low_r, share)
            bands.append([lerp(a, b, -0.2), lerp(a, b, 1.2)])
        bands += [[lerp(left, right, a), lerp(low_l, low_r, b)] for a, b in ((0.15, 0.2), (0.85, 0.8))]
        brush.lines(bands, 0.036 * k, pen.lit((0.90, 0.89, 0.74)))
    if outfit.cross:
        x, y, z = lerp(lerp(left, right, 0.5), lerp(low_l, low_r, 0.5), 0.4)
        cross = [[(x - dx, y - 0.1, z - dz), (x + dx, y - 0.1, z + dz)] for dx, dz in ((0.08, 0.0), (0.0, 0.08))]
        brush.lines(cross, 0.06 * k, (0.85, 0.12, 0.12))


def _head(pen: _Pen, bones: Skeleton, outfit: Outfit) -> None:
    brush, k = pen.brush, pen.k
    head, neck = bones["head"], bones["neck"]
    brush.line([neck, head], 0.10 * k, pen.lit(outfit.skin, 0.8))
    brush.dot(head, 0.150 * k, DARK, alpha=0.9)
    brush.dot(head, 0.130 * k, pen.lit(outfit.skin, 0.9))
    up = 1.0 if head[2] - neck[2] > 0.05 else 0.3
    x, y, z = head[0] + (head[0] - neck[0]) * 0.5, head[1] + 0.03 * k, head[2] + 0.05 * k * up
    if outfit.hat is None:
        brush.dot((x, y, z + 0.012 * k), 0.122 * k, pen.lit(outfit.hair))
        brush.dot((head[0] - 0.005, head[1] - 0.06 * k, head[2] - 0.03 * k), 0.088 * k, pen.lit(outfit.skin))
        return
    brush.dot((x, y, z), 0.148 * k, DARK, alpha=0.9)
    brush.dot((x, y, z), 0.130 * k, pen.lit(outfit.hat, 0.9))
    brush.dot((x - 0.03 * k, y, z + 0.04 * k), 0.06 * k, pen.lit(mix(outfit.hat, WHITE, 0.45)))
    brim = z - 0.03 * k
    brush.line([(x - 0.13 * k, y - 0.1 * k, brim), (x + 0.13 * k, y - 0.1 * k, brim)], 0.035 * k, pen.lit(outfit.hat))
