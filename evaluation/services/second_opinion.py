"""Asks for an AI second opinion on one claim."""

from __future__ import annotations

from evaluation.services.second_look import ask_about as ask

__all__ = ["ask"]
