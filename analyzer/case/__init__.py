"""The case folder: stages under their keys, results, locks."""
