"""What was measured about a model's odds: `NAME.card.json` beside `NAME.gguf`, from `asides train lora`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from asides.model.errors import WriterUnavailable


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """The thresholds of a writer, and on how many turns they were chosen. Other keys are for people.

    The defaults hold for a model about which nothing was measured: odds that nobody compared with the truth
    are no evidence, so whatever it finds is proposed and nothing goes live by itself.
    """

    live_threshold: float = 0.9
    floor: float = 0.5
    measured_on: int = 0  # turns; 0: never measured


UNMEASURED_CEILING = 0.89  # below the live threshold of a card that was never measured


def beside(model: Path) -> Card:
    """Returns the card beside a model, or that of an unmeasured one. Raises WriterUnavailable if damaged."""
    path = model.with_suffix(".card.json")
    try:
        card = msgspec.json.decode(path.read_bytes(), type=Card)
    except FileNotFoundError:
        return Card()
    except (OSError, msgspec.DecodeError) as fault:
        raise WriterUnavailable(name=model.name, why=f"{path} is not a card ({fault})") from fault
    if not 0 <= card.floor < card.live_threshold <= 1:
        raise WriterUnavailable(name=model.name, why=f"{path} has thresholds out of order")
    return card
