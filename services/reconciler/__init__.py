"""Keeps what the analyses stand on up to date: the clones of watched repositories, and what their hosts know."""
