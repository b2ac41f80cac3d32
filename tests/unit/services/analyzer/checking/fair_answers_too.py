"""More of what a careful reader says of merges of the sample."""

from __future__ import annotations

from services.analyzer.prompts.answer import MergeAnswer
from tests.unit.services.analyzer.checking.answers import action, answered, claim, contest, limit, reason, risk

MORE_FAIR: dict[int, MergeAnswer] = {
    4911: answered(
        claim(
            "The default of max_age is seven days instead of zero, which kept messages for ever.",
            "max_age: Duration::ZERO, // keeps for ever",
            "max_age: Duration::from_secs(7 * 24 * 60 * 60),",
        ),
        effect=claim(
            "Streams without their own retention lose messages older than 7 days after the upgrade.",
            "streams without their own retention lose messages older than 7 days after the upgrade",
        ),
        why=claim(
            "Full disks are the most frequent support request.",
            "Full disks are the most frequent support request by far",
        ),
        actions=[
            action(
                "new-default",
                "Check which streams rely on the server default before upgrading.",
                "Streams that exist already keep their stored setting; only the server default changes.",
                'Set `retention.max_age = "0"` to keep everything as before.',
                way_back='Set max_age to "0" to keep everything.',
            )
        ],
        contested=[
            contest(
                "settled",
                "An upgrade that deletes data was disputed; now only new streams get the limit of 7 days.",
                "I am uneasy: an upgrade that deletes data. Could new streams get the limit and old ones stay unlimited?",
                "streams write their effective retention into the metadata log at upgrade, so only new streams get 7 days.",
            )
        ],
        risks=[
            risk(
                "data-loss",
                "Messages older than 7 days are deleted where a stream has no retention of its own.",
                "streams without their own retention lose messages older than 7 days after the upgrade",
            )
        ],
        importance=reason(
            "must-act",
            "The server deletes after 7 days unless told otherwise.",
            'max_age = "7d"',
            "max_age: Duration::from_secs(7 * 24 * 60 * 60),",
            "lose messages older than 7 days",
        ),
        keywords=["retention", "max_age", "default"],
    ),
    4921: answered(
        claim("StreamReader gets an async iterator.", "def __aiter__(self) -> AsyncIterator[Message]:"),
        effect=claim(
            "Python users can read a stream with an `async for` loop.",
            "`async for message in reader:` now works.",
        ),
        actions=[
            action(
                "deprecation",
                "StreamReader.poll is deprecated: iterate over the reader instead.",
                'warnings.warn("StreamReader.poll is deprecated, iterate instead", DeprecationWarning, stacklevel=2)',
            )
        ],
        keywords=["Python", "StreamReader", "async"],
    ),
    4930: answered(
        claim(
            "Access rules are read from the metadata log instead of a file.",
            "let rules = metadata.replay::<AclRule>().await?;",
            "let rules = serde_json::from_reader(File::open(path)?)?;",
        ),
        effect=claim(
            "Access rules are the same on all nodes, because they are replicated.",
            "Access rules are replicated now; before, each node had its own `acl.json` and they drifted apart.",
        ),
        actions=[
            action(
                "migration",
                "Run `lumen-admin migrate-acls` once on one node after the upgrade; until then all but admin calls are refused.",
                "run `lumen-admin migrate-acls` once on one node after the upgrade",
                "Until then the server refuses all but admin calls.",
            )
        ],
        contested=[
            contest(
                "rejected",
                "Migrating by itself at start was rejected: nodes can hold different files and a person has to choose.",
                "Why not migrate by itself at start?",
                "Nodes can hold different files; a person has to choose which one is right.",
            )
        ],
        importance=reason(
            "must-act",
            "Without the migration the server refuses all but admin calls.",
            "//! `lumen-admin migrate-acls`: copies `acl.json` of 1.9 into the metadata log, once.",
            "Until then the server refuses all but admin calls.",
        ),
        keywords=["access rules", "acl", "migrate-acls"],
    ),
    4931: answered(
        claim(
            "What counts against a quota is the size of the compressed batch, not its number of messages.",
            "self.spent += batch.len() as u64;",
            "self.spent += batch.compressed_bytes();",
        ),
        effect=claim(
            "Quotas are enforced in bytes, as documented: tenants with large messages no longer get more than their share.",
            "Quotas were documented in bytes and enforced in messages since 1.7.",
            "Tenants with large messages got far more than their share; tenants with small ones were throttled too early.",
        ),
        actions=[
            action(
                "breaking-change",
                "Check your quota values before upgrading: the same number now means bytes.",
                "Check your `quota.*` values before upgrading: the same number now means bytes.",
            )
        ],
        contested=[
            contest(
                "asked",
                "A tenant that writes random data pays twice as much; the quota page should say so.",
                "A tenant that writes random data pays twice as much from now on. Please say so in the quota page before this ships.",
            )
        ],
        risks=[
            risk(
                "wrong-results",
                "Tenants are throttled at another point than before, because the same number has another unit.",
                "the same number now means bytes",
            )
        ],
        keywords=["quota", "bytes", "throttle"],
    ),
    4939: answered(
        claim(
            "Frames longer than max_frame_bytes are refused before the body is reserved.",
            "if length > limits.max_frame_bytes {",
            "return Err(NetError::FrameTooLarge { length, limit: limits.max_frame_bytes });",
        ),
        effect=claim(
            "A client can no longer make the server reserve 4 GiB with one header.",
            "A client could make the server reserve 4 GiB with one header.",
        ),
        limits=[
            limit(
                "up-to",
                "The limit is 64 MiB unless LUMEN_MAX_FRAME_BYTES is set.",
                "`LUMEN_MAX_FRAME_BYTES`, 64 MiB unless set.",
            )
        ],
        actions=[
            action(
                "environment-variable",
                "LUMEN_MAX_FRAME_BYTES is new; it is 64 MiB unless set.",
                "`LUMEN_MAX_FRAME_BYTES`, 64 MiB unless set.",
            )
        ],
        risks=[
            risk(
                "breaking-change",
                "Clients that send larger frames are refused.",
                "return Err(NetError::FrameTooLarge { length, limit: limits.max_frame_bytes });",
            )
        ],
        keywords=["frame", "LUMEN_MAX_FRAME_BYTES"],
    ),
    4946: answered(
        claim(
            "Polling parks the thread and gives up at the deadline instead of looping.",
            "while Instant::now() < deadline {",
            "None => thread::park_timeout(self.options.idle_wait),",
        ),
        effect=claim(
            "Seek latency at p99 drops from 310 µs to 140 µs on cold files, up to 2.2x; there is no difference when warm.",
            "Seek latency at p99 drops from 310 µs to 140 µs on cold files (up to 2.2x, page cache empty; no difference when warm).",
        ),
        limits=[
            limit(
                "other",
                "Only with an empty page cache; no difference when warm.",
                "on cold files (up to 2.2x, page cache empty; no difference when warm)",
            )
        ],
        keywords=["seek", "latency", "offsets"],
    ),
    4952: answered(
        claim(
            "Shutdown closes the listeners and waits for sessions to drain instead of aborting them.",
            "runtime.abort_all();",
            "if timeout(config.shutdown_grace, sessions.drained()).await.is_err() {",
        ),
        effect=claim(
            "Rolling restarts no longer lose acknowledgements that are under way.",
            "Rolling restarts lost acknowledgements that were under way.",
        ),
        limits=[
            limit(
                "up-to",
                "It waits up to shutdown_grace, 20 s.",
                "Waits up to `server.shutdown_grace` (20 s).",
            )
        ],
        risks=[
            risk(
                "concurrency",
                "Sessions that do not finish in time are closed with a warning.",
                'warn!(open = sessions.len(), "closing sessions that did not finish in time");',
            )
        ],
        keywords=["shutdown", "sessions"],
    ),
    4959: answered(
        claim(
            "Before a write is sent again the writer asks whether its sequence was acknowledged.",
            "if await self._acknowledged(batch.sequence):",
            "return batch.last_offset",
        ),
        effect=claim(
            "Writes that time out on the client but succeed on the server are no longer written twice.",
            "A write that timed out on the client but succeeded on the server was written twice.",
        ),
        risks=[
            risk(
                "concurrency",
                "No test covers the late acknowledgement.",
                "A test for this would be good, but let us not hold the fix for it.",
            )
        ],
        keywords=["retry", "writer"],
    ),
}
