"""Why a server for tests cannot be had."""


class ServerUnavailable(RuntimeError):
    """The programs are not installed, or do not start here; the message says what to do."""
