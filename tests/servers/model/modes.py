"""What the scripted server says in each of its modes; a new fault is one function and one line of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.servers.model.asked import Asked
from tests.servers.model.fitting import answer_to, faithful, inventing, inventing_on_quotes, obedient, ordered

AnswerHook = Callable[[dict[str, Any]], dict[str, Any]]
GIANT = 8 * 1024 * 1024
CONTEXT = 4_096
RETRY_AFTER = 7


@dataclass(frozen=True)
class Said:
    """One answer: what is sent, and how."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    pace: Literal["at-once", "hang", "drip", "drip-headers", "drop", "half"] = "at-once"
    counted: tuple[int, int] = (0, 0)
    """Tokens in and out that the server would put on a bill."""


def say(mode: str, asked: Asked, hook: AnswerHook | None = None) -> Said:
    """Return what the server says to a chat request in ``mode``; probes, which ask for no JSON, are told "ok"."""
    if mode not in MODES:
        raise ValueError(f"no mode {mode}")
    return MODES[mode](asked, hook)


def completion(
    asked: Asked, content: Any, finish: str = "stop", message: Mapping[str, Any] | None = None, **changed: Any
) -> Said:
    """A completion with ``content``; ``message`` and ``changed`` replace its fields."""
    text = content if isinstance(content, str) else ""
    counted = (len(asked.system + asked.user) // 4 + 8, len(text) // 4 + 1)
    usage = {
        "prompt_tokens": counted[0],
        "completion_tokens": counted[1],
        "total_tokens": sum(counted),
        "prompt_tokens_details": {"cached_tokens": counted[0] // 2},
    }
    said = {"role": "assistant", "content": content, **(message or {})}
    body = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": asked.body.get("model", ""),
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": usage,
        **changed,
    }
    return Said(body=json.dumps(body).encode(), counted=counted)


def refused(status: int, message: str, headers: Mapping[str, str] | None = None, **error: Any) -> Said:
    """An error as OpenAI words it."""
    body = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **error}}
    return Said(status, json.dumps(body).encode(), headers or {})


def _answer(asked: Asked, hook: AnswerHook | None) -> dict[str, Any]:
    return hook(asked.document) if hook else answer_to(asked, faithful)


def _good(asked: Asked, hook: AnswerHook | None) -> str:
    return json.dumps(_answer(asked, hook)) if asked.schema else "ok"


def _obey(asked: Asked, _hook: AnswerHook | None) -> Said:
    return completion(asked, json.dumps({**answer_to(asked, obedient), **ordered(asked)}))


def _wrong(asked: Asked, hook: AnswerHook | None) -> dict[str, Any]:
    """The answer with its first field of another kind than the schema says."""
    answer = _answer(asked, hook)
    return {**answer, next(iter(answer), "field"): {"no": ["such", "value"]}}


def _fewer(asked: Asked, hook: AnswerHook | None) -> dict[str, Any]:
    return dict(list(_answer(asked, hook).items())[1:])


def _talk(content: Callable[[Asked, AnswerHook | None], Any], finish: str = "stop") -> Mode:
    return lambda asked, hook: completion(asked, content(asked, hook), finish)


def _without(message: Mapping[str, Any], finish: str = "stop") -> Mode:
    return lambda asked, _hook: completion(asked, None, finish, message)


def _changed(**fields: Any) -> Mode:
    return lambda asked, hook: completion(asked, _good(asked, hook), **fields)


def _always(said: Said) -> Mode:
    return lambda _asked, _hook: said


def _unless(takes: Callable[[Asked], bool], said: Said) -> Mode:
    """Refuses what it does not take, and answers well otherwise."""
    return lambda asked, hook: completion(asked, _good(asked, hook)) if takes(asked) else said


def _two_refusals(asked: Asked, hook: AnswerHook | None) -> Said:
    """Takes neither a response format nor the older name of the limit, and names one of them at a time."""
    if asked.mode != "text":
        return refused(400, "response_format is not supported", param="response_format")
    if _OUTPUTS[0] in asked.body:
        return refused(400, f"Unsupported parameter: '{_OUTPUTS[0]}'.", param=_OUTPUTS[0])
    return completion(asked, _good(asked, hook))


def _echo_key(asked: Asked, _hook: AnswerHook | None) -> Said:
    key = asked.headers.get("authorization", "") or asked.headers.get("api-key", "")
    return refused(401, f"Incorrect API key provided: {key}.", code=key.removeprefix("Bearer "))


def _paced(pace: Literal["hang", "drip", "drip-headers", "drop", "half"]) -> Mode:
    def said(asked: Asked, hook: AnswerHook | None) -> Said:
        whole = completion(asked, _good(asked, hook))
        return Said(body=whole.body, pace=pace, counted=whole.counted)

    return said


Mode = Callable[[Asked, AnswerHook | None], Said]
_OUTPUTS = ("max_tokens", "max_completion_tokens")
_NO_SCHEMA = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
_LONG = f"This model's maximum context length is {CONTEXT} tokens. However, your messages resulted in 9000 tokens."

MODES: dict[str, Mode] = {
    "ok": _talk(_good),
    "obey": _obey,
    "invent": lambda asked, _hook: completion(asked, json.dumps(answer_to(asked, inventing))),
    "invent-on-quotes": lambda asked, _hook: completion(asked, json.dumps(answer_to(asked, inventing_on_quotes))),
    "fenced": _talk(lambda asked, hook: f"Here you are:\n```json\n{_good(asked, hook)}\n```\nAnything else?"),
    "open-fence": _talk(lambda asked, hook: f"```json\n{_good(asked, hook)}"),
    "thinking": _talk(
        lambda asked, hook: f"<think>A draft: {_good(asked, hook)}, or not?</think>\n{_good(asked, hook)}"
    ),
    "two-objects": _talk(lambda asked, hook: f'{{"draft": true}}\n{_good(asked, hook)}'),
    "trailing-comma": _talk(lambda asked, hook: _good(asked, hook)[:-1] + ",}"),
    "parts": _talk(lambda asked, hook: [{"type": "text", "text": _good(asked, hook)}]),
    "cut": _talk(lambda asked, hook: _good(asked, hook)[: len(_good(asked, hook)) // 2], "length"),
    "whole-but-cut": _talk(_good, "length"),
    "cut-fence": _talk(lambda asked, hook: "```json\n" + _good(asked, hook)[: len(_good(asked, hook)) // 2]),
    "prose": _talk(lambda _asked, _hook: "This merge looks fine to me."),
    "wrong-enum": _talk(lambda asked, hook: json.dumps(_wrong(asked, hook))),
    "extra-keys": _talk(lambda asked, hook: json.dumps({**_answer(asked, hook), "ignore_the_rules": 1})),
    "missing-keys": _talk(lambda asked, hook: json.dumps(_fewer(asked, hook))),
    "invented-ids": lambda asked, _hook: completion(asked, json.dumps(answer_to(asked, inventing))),
    "schema-ignored": lambda asked, hook: completion(
        asked, _good(asked, hook) if asked.mode != "json_schema" or asked.is_repair else '{"summary": "Fine."}'
    ),
    "empty-choices": _changed(choices=[]),
    "null-choices": _changed(choices=None),
    "null-message": _changed(choices=[{"index": 0, "message": None, "finish_reason": "stop"}]),
    "null-content": _without({}),
    "refusal": _without({"refusal": "I cannot help with that."}),
    "content-filter": _without({}, "content_filter"),
    "tool-calls": _without({"tool_calls": [{"id": "1", "type": "function"}]}, "tool_calls"),
    "reasoning-only": _without({"reasoning_content": "Let me think."}),
    "no-usage": _changed(usage=None),
    "absurd-usage": _changed(usage={"prompt_tokens": -5, "completion_tokens": "many"}),
    "html-200": _always(Said(200, b"<html><body>Welcome</body></html>", {"content-type": "text/html"})),
    "error-200": _always(Said(200, b'{"error": {"message": "overloaded", "code": "overloaded"}}')),
    "rate-200": _always(Said(200, b'{"error": {"message": "slow down", "code": 429}}')),
    "cut-body": lambda asked, hook: Said(body=completion(asked, _good(asked, hook)).body[:-40]),
    "schema-400": _unless(lambda asked: asked.mode != "json_schema", refused(400, _NO_SCHEMA, param="response_format")),
    "schema-500": _unless(
        lambda asked: asked.mode != "json_schema",
        refused(500, "response_format.type: Input should be 'text' or 'json_object'"),
    ),
    "no-json-400": _unless(lambda asked: asked.mode == "text", refused(400, "response_format is not supported")),
    "max-tokens-400": _unless(
        lambda asked: _OUTPUTS[0] not in asked.body,
        refused(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param="max_tokens"),
    ),
    "completion-tokens-422": _unless(
        lambda asked: _OUTPUTS[1] not in asked.body,
        Said(
            422,
            json.dumps({"detail": [{"loc": ["body", _OUTPUTS[1]], "msg": "Extra inputs are not permitted"}]}).encode(),
        ),
    ),
    "temperature-400": _unless(
        lambda asked: "temperature" not in asked.body,
        refused(400, "Unsupported value: 'temperature' does not support 0 with this model.", param="temperature"),
    ),
    "two-400": _two_refusals,
    "bad-request-400": _always(refused(400, "Something about it is wrong.")),
    "filtered-400": _always(refused(400, "The prompt was filtered.", code="content_filter")),
    "too-long": _always(refused(400, _LONG, code="context_length_exceeded")),
    "too-long-llama": _always(refused(400, "the request exceeds", type="exceed_context_size_error", n_ctx=CONTEXT)),
    "too-long-413": _always(Said(413, b"Payload Too Large")),
    "rate-429": _always(
        refused(429, "Rate limit reached.", {"retry-after": str(RETRY_AFTER)}, code="rate_limit_exceeded")
    ),
    "quota-429": _always(refused(429, "You exceeded your current quota.", code="insufficient_quota")),
    "unauthorized-401": _echo_key,
    "forbidden-403": _always(refused(403, "Your project may not use this model.")),
    "missing-404": _always(refused(404, "The model does not exist.", code="model_not_found")),
    "redirect": _always(Said(307, b"", {"location": "/v1/elsewhere"})),
    "error-500": _always(refused(500, "The server had an error.")),
    "plain-502": _always(Said(502, b"<html>Bad Gateway</html>", {"content-type": "text/html"})),
    "overloaded-503": _always(refused(503, "Overloaded.", {"retry-after": str(RETRY_AFTER)})),
    "giant": lambda asked, _hook: completion(asked, "a" * GIANT),
    "deep": _talk(lambda _asked, _hook: '{"a":' * 100_000),
    "compressed": lambda asked, hook: Said(
        body=completion(asked, _good(asked, hook)).body, headers={"content-encoding": "gzip"}
    ),
    "hang": _paced("hang"),
    "drip": _paced("drip"),
    "drip-headers": _paced("drip-headers"),
    "dropped": _paced("drop"),
    "dropped-half": _paced("half"),
}
"""By name: modes of a model that answers, of one that answers oddly, of a server that does not take or not serve."""
