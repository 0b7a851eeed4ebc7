"""The components: plain JavaScript and CSS beside this file, registered once per server."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


@cache
def component(name: str) -> Any:
    """The mounting function of one component (`name`.js and, if there is one, `name`.css)."""
    css = HERE / f"{name}.css"
    return st.components.v2.component(
        f"mafiavar_{name}",
        js=(HERE / f"{name}.js").read_text("utf-8"),
        css=css.read_text("utf-8") if css.exists() else None,
    )
