"""Clips as images in a conversation: which frames, in what format, how many are kept. ConflictBench B.1, own words.

A model is sent the frames of a clip, then the words that go with them. The words round pictures are files in
`prompts/pictures-v<version>/`, versioned and digested as those of the protocols.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

from conflictbench.envs.visual.encode import FORMATS, encode_frame
from conflictbench.errors import InvalidValue, UnknownName
from conflictbench.types import Image
from conflictbench.wrappers.chat.protocols import FOLDER

if TYPE_CHECKING:
    from conflictbench.envs.visual.episode import Shown

VERSION = 1
KEEP_CLIPS = 2  # whose images stay in the conversation: what was just done, and what it is compared with
SEPARATOR = "+"  # between the id of a protocol and that of the words round its pictures
_TEXTS = ("answer_follows", "missing", "note", "note_kept", "note_kept_1")

ClipImages = tuple[Image, ...]  # of one clip, in order


class ChatPictures:
    """How the pictures of one conversation are sent."""

    def __init__(self, keep_clips: int | None = KEEP_CLIPS, image_format: str = "jpeg") -> None:
        """Take the settings.

        Args:
            keep_clips: clips whose images stay, >= 1; None for all.
            image_format: "jpeg" or "png".
        Raises:
            InvalidValue, UnknownName: not such a number, not such a format.
        """
        if keep_clips is not None and (type(keep_clips) is not int or keep_clips < 1):  # True is an int, and no number
            raise InvalidValue(f"keep_clips {keep_clips!r} must be a whole number >= 1, or None for all")
        if image_format not in FORMATS:
            raise UnknownName("image_format", image_format, sorted(FORMATS))
        self.keep_clips, self.image_format = keep_clips, image_format

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The words by file name."""
        folder = FOLDER / f"pictures-v{VERSION}"
        return MappingProxyType({name: (folder / f"{name}.txt").read_text("utf-8").rstrip("\n") for name in _TEXTS})

    @cached_property
    def id(self) -> str:
        """What it adds to the id of a protocol: "pictures-v1-1a2b3c4d-jpeg-clips2"."""
        digest = blake2b(digest_size=4)
        for name, text in self.texts.items():
            digest.update(f"{name}\0{text}\0".encode())
        kept = "all" if self.keep_clips is None else str(self.keep_clips)
        return f"pictures-v{VERSION}-{digest.hexdigest()}-{self.image_format}-clips{kept}"

    def note(self, count: int) -> str:
        """What a model is told of the pictures, `count` a clip."""
        note = self.texts["note"].replace("{count}", str(count))
        if self.keep_clips is None:
            return note
        kept = self.texts["note_kept_1" if self.keep_clips == 1 else "note_kept"]
        return f"{note} {kept.replace('{clips}', str(self.keep_clips))}"

    def images(self, shown: Shown) -> ClipImages:
        """The sampled frames of a clip, encoded; none of a missing one."""
        clip = shown.clip
        if clip is None:
            return ()
        media = cast('Literal["image/jpeg", "image/png"]', f"image/{self.image_format}")
        return tuple(
            Image(
                data=encode_frame(clip.frame(index), self.image_format),
                media_type=media,
                width=clip.geometry.width,
                height=clip.geometry.height,
                name=f"{shown.name}, frame {index} of 0..{clip.geometry.frames - 1}",
            )
            for index in shown.sampled
        )
