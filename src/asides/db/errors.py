"""What can go wrong with a database file, as errors a person can read.

Unavailable      4
└── StoreUnavailable   busy, full, read-only, unreadable: nothing was lost, try again
└── StoreTooNew        written by a newer program: never touched; the newer one will go on with it
"""

from __future__ import annotations

from asides.model.errors import Unavailable


class StoreUnavailable(Unavailable):
    """The store {path} cannot be used now: {why}."""

    hint = "Nothing was half written. Check free space and rights of that folder, then try again."


class StoreTooNew(Unavailable):
    """The store {path} has schema {found}; this version of asides knows up to {known}."""

    hint = "Upgrade asides. Nothing was written to the store."
