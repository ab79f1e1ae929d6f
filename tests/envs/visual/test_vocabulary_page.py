"""The page of words in docs is what the program itself says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

from tests.checkout import ROOT

from conflictbench.envs.visual.procedural.vocabulary import glyphs, prop_names
from conflictbench.envs.visual.vocabulary_page import MOTIONS, vocabulary_page
from conflictbench.scenario_specs.schema import ActionVisual


def test_page__in_docs_is_the_one_the_program_writes(tmp_path: Path) -> None:
    written = tmp_path / "page.md"
    subprocess.run([sys.executable, "-m", "conflictbench.envs.visual.vocabulary_page", str(written)], check=True)
    assert written.read_text("utf-8") == (ROOT / "docs" / "visual-vocabulary.md").read_text("utf-8")


def test_page__has_every_glyph_property_and_motion() -> None:
    page = vocabulary_page()
    for word in (*glyphs(), *prop_names(), *get_args(ActionVisual.model_fields["motion"].annotation)):
        assert f"`{word}`" in page


def test_motions__are_those_of_the_schema() -> None:
    assert set(MOTIONS) == set(get_args(ActionVisual.model_fields["motion"].annotation))
