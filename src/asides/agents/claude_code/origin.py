"""Who wrote a line in the user's role: an allow-list of the marks that a person's words carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asides.model.turn import Via

# How text starts that tooling put into the user's role, whatever its marks say. All but the last
# seen on 2.1.197 and 2.1.332; the last comes from editor extensions, as a block beside the prompt.
MACHINE_PREFIXES = (
    "<task-notification>",
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "[Request interrupted",
    "<ide_",
)


def is_machine(text: str) -> bool:
    """Tells whether tooling wrote this text for certain."""
    return text.lstrip().startswith(MACHINE_PREFIXES)


def own_words(blocks: Iterable[str]) -> str:
    """Returns the text blocks that tooling did not write, joined by line ends."""
    return "\n".join(block for block in blocks if block.strip() and not is_machine(block))


def via_of_prompt(origin: object, prompt_source: object) -> Via | None:
    """Returns how a person's `user` line came, or None when its marks do not vouch for a person.

    Args:
        origin: the line's `origin`. One that names anything but a human is proof against a person,
            even beside a `promptSource` that would do.
        prompt_source: the line's `promptSource`; `sdk` is a person or a script.
    """
    human = _is_human(origin)
    if origin is not None and not human:
        return None
    match prompt_source:
        case "sdk":
            return Via.SDK
        case "typed":
            return Via.TYPED
        case _:
            return Via.TYPED if human else None


def via_of_queued(origin: object, command_mode: object) -> Via | None:
    """Returns QUEUED when a `queued_command` holds a prompt that a person typed, else None."""
    return Via.QUEUED if _is_human(origin) and command_mode in (None, "prompt") else None


def _is_human(origin: object) -> bool:
    return isinstance(origin, Mapping) and origin.get("kind") == "human"
