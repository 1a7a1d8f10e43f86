"""Anchored rates: simulated rates, corrected by measurements near them in the same set-up."""

from axiometer.published.anchors.anchor import Anchored, forget, of

__all__ = ["Anchored", "forget", "of"]
