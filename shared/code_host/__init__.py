"""The code host's API, and the only import of its client: credentials, limits, reads and the few writes."""

from shared.code_host.addresses import path_of
from shared.code_host.answers import Answer
from shared.code_host.host import CodeHost
from shared.code_host.opening import open_code_host

__all__ = ["Answer", "CodeHost", "open_code_host", "path_of"]
