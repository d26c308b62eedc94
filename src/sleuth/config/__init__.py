"""`sleuth.toml`: read into frozen tables, and from there into a model, sources and an agent."""

from __future__ import annotations

from sleuth.config.build import Config, find, load

__all__ = ["Config", "find", "load"]
