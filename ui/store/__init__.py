"""Human records: appended, never changed; accounts and sessions beside them."""

from mafiavar.ui.store.errors import StoreBroken, StoreRefused
from mafiavar.ui.store.records import Record, Store, open_store

__all__ = ["Record", "Store", "StoreBroken", "StoreRefused", "open_store"]
