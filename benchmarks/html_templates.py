"""Templates of pages: all escaped, a missing name is an error, styles are admitted by their hash. Own design."""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, PackageLoader, StrictUndefined


def page_templates(package: str) -> Environment:
    """The templates in the folder `templates` of a package."""
    return Environment(
        loader=PackageLoader(package, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def hash_of(source: str) -> str:
    """The SHA-256 of a style or a script, as a content security policy names it."""
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
