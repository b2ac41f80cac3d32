"""A language model reads merges that rules have examined: which ones, how one is read, and what sweeps after it."""
