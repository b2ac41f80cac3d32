"""The scripted server's Batch API: files come in, batches are worked off when the test says so, files go out."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qsl

from tests.servers.model.asked import Asked
from tests.servers.model.modes import Said, refused

_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
_STEPS = {
    ("files", "POST", False): "upload",
    ("batches", "POST", False): "begin",
    ("batches", "GET", False): "list",
    ("batches", "GET", True): "look",
}


class Batches:
    """Files and batches by id; a batch is ``in_progress`` when it is looked at until ``polls`` looks are over."""

    def __init__(self, say: Callable[[Asked], Said]) -> None:
        self.polls = 0
        """How often a batch is looked at before it is done."""
        self.outcome = "completed"
        """How batches end: ``completed``, ``failed`` or ``expired``."""
        self.lost: set[str] = set()
        """Custom ids that get an error instead of an answer."""
        self.refuses: dict[str, int] = {}
        """The status with which each ``upload``, ``begin``, ``list`` or ``look`` is refused."""
        self.keeps_names = True
        """Whether the metadata of a batch is told again."""
        self.drops = 0
        """How many batches are begun from now on without an answer that says so."""
        self.page = 20
        """How many batches a list tells at once, at most."""
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.asked: list[Asked] = []
        """Every question that was answered in a batch."""
        self.counted = (0, 0)
        """Tokens in and out that were put on the bill."""
        self._looks: dict[str, int] = {}
        self._say = say
        self._guard = threading.Lock()

    def take(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any] | Said:
        """Answer a request to ``/v1/files`` or ``/v1/batches``; 404 for any other."""
        path, _, query = path.partition("?")
        _, _, kind, *rest = [*path.split("/"), ""] if path.count("/") < 3 else path.split("/")
        ident = rest[0] if rest else ""
        step = _STEPS.get((kind, method, bool(ident)), "")
        if step in self.refuses:
            return refused(self.refuses[step], "This server has no such thing.")
        with self._guard:
            if step == "list":
                return self._list(dict(parse_qsl(query)).get("after", ""))
            if kind == "files" and method == "POST":
                return self._file(_uploaded(headers, body))
            if kind == "files" and ident in self.files:
                return self._of_file(method, ident, rest[1:])
            if kind == "batches" and method == "POST" and not ident:
                return self._batch(json.loads(body))
            if kind == "batches" and ident in self.batches:
                return self._looked_at(ident, cancelled=rest[1:] == ["cancel"])
        return refused(404, "There is nothing here.", code="not_found")

    def _file(self, content: bytes) -> dict[str, Any]:
        ident = f"file-{len(self.files) + 1}"
        self.files[ident] = content
        return {
            "id": ident,
            "object": "file",
            "bytes": len(content),
            "created_at": 1_800_000_000,
            "filename": "batch.jsonl",
            "purpose": "batch",
            "status": "processed",
        }

    def _of_file(self, method: str, ident: str, rest: list[str]) -> dict[str, Any] | Said:
        if method == "DELETE":
            del self.files[ident]
            return {"id": ident, "object": "file", "deleted": True}
        return (
            Said(body=self.files[ident], headers={"content-type": "application/octet-stream"})
            if rest
            else {"id": ident}
        )

    def _batch(self, wanted: Mapping[str, Any]) -> dict[str, Any] | Said:
        if wanted.get("input_file_id") not in self.files:
            return refused(400, "There is no such file.", param="input_file_id")
        ident = f"batch-{len(self.batches) + 1}"
        self.batches[ident] = {
            "id": ident,
            "object": "batch",
            "endpoint": wanted["endpoint"],
            "input_file_id": wanted["input_file_id"],
            "completion_window": wanted["completion_window"],
            "status": "validating",
            "created_at": 1_800_000_000,
            "metadata": wanted.get("metadata") if self.keeps_names else None,
        }
        if self.drops:
            self.drops -= 1
            return Said(pace="drop")
        return self.batches[ident]

    def _list(self, after: str) -> dict[str, Any]:
        """The newest first, as OpenAI lists them."""
        newest = list(reversed(self.batches))
        at = newest.index(after) + 1 if after else 0
        told = newest[at : at + self.page]
        return {
            "object": "list",
            "data": [self.batches[ident] for ident in told],
            "has_more": at + self.page < len(newest),
        }

    def _looked_at(self, ident: str, *, cancelled: bool) -> dict[str, Any]:
        batch = self.batches[ident]
        if batch["status"] in _ENDED:
            return batch
        self._looks[ident] = self._looks.get(ident, 0) + 1
        if cancelled:
            batch["status"] = "cancelled"
        elif self._looks[ident] <= self.polls:
            batch["status"] = "in_progress"
        else:
            batch["status"] = self.outcome
            if self.outcome == "completed":
                self._work_off(batch)
        return batch

    def _work_off(self, batch: dict[str, Any]) -> None:
        lines = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines() if line.strip()]
        answered = [self._answered(line) for line in lines if line["custom_id"] not in self.lost]
        lost = [
            {
                "id": f"lost-{line['custom_id']}",
                "custom_id": line["custom_id"],
                "response": None,
                "error": {"code": "x"},
            }
            for line in lines
            if line["custom_id"] in self.lost
        ]
        # Answers come in any order (OpenAI's guide "Batch API").
        batch["output_file_id"] = self._file(_lines(reversed(answered)))["id"] if answered else None
        batch["error_file_id"] = self._file(_lines(lost))["id"] if lost else None
        batch["request_counts"] = {"total": len(lines), "completed": len(answered), "failed": len(lost)}

    def _answered(self, line: Mapping[str, Any]) -> dict[str, Any]:
        asked = Asked(line["body"])
        self.asked.append(asked)
        said = self._say(asked)
        self.counted = (self.counted[0] + said.counted[0], self.counted[1] + said.counted[1])
        response = {"status_code": said.status, "request_id": "scripted", "body": json.loads(said.body)}
        return {
            "id": f"answer-{line['custom_id']}",
            "custom_id": line["custom_id"],
            "response": response,
            "error": None,
        }


def _lines(values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def _uploaded(headers: Mapping[str, str], body: bytes) -> bytes:
    """The file of a multipart form."""
    form = message_from_bytes(b"content-type: " + headers["content-type"].encode() + b"\r\n\r\n" + body)
    for part in form.get_payload():
        if re.search(r'name="?file\b', part.get("content-disposition", "")):
            return bytes(part.get_payload(decode=True))
    raise ValueError("the form has no file")
