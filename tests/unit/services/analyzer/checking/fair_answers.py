"""What a careful reader says of merges of the sample, in the form in which a model answers."""

from __future__ import annotations

from services.analyzer.prompts.answer import MergeAnswer
from tests.unit.services.analyzer.checking.answers import action, answered, claim, contest, limit, reason, risk

FAIR: dict[int, MergeAnswer] = {
    4861: answered(
        claim(
            "A segment also counts as full once it has been open longer than max_age.",
            "self.bytes >= self.limits.max_bytes || self.opened.elapsed() >= self.limits.max_age",
        ),
        effect=claim(
            "Quiet streams can have their data expire in time, because a segment can be sealed by age; this is off by default.",
            "The new `log.segment_max_age` seals it by age. Off (`0`) by default, so nothing changes unless you set it.",
            "Seal the active segment after this time even when it is not full; `0` never does.",
        ),
        why=claim(
            "A quiet stream could keep data for weeks past its limit, since retention works on whole segments.",
            "Retention works on whole segments, so a quiet stream could keep data for weeks past its limit",
        ),
        limits=[
            limit(
                "off-by-default",
                "Nothing changes unless segment_max_age is set.",
                "Off (`0`) by default, so nothing changes unless you set it.",
            )
        ],
        contested=[
            contest(
                "deferred",
                "The age counts from opening the segment, so a restart resets it; counting from the first record was put off.",
                "Should the age count from the first record instead of from opening? A restart resets it otherwise.",
                "I would rather do that in a follow-up, the header has no room for a timestamp before format 4.",
            )
        ],
        keywords=["segment", "retention", "age"],
    ),
    4866: answered(
        claim(
            "The term and the vote are stored on disk before a vote is granted.",
            "self.hard_state.store(request.term, request.candidate)?;",
            "The vote must be on disk before it is given",
        ),
        effect=claim(
            "A node that crashes after voting no longer votes a second time in the same term, so two leaders cannot arise from it.",
            "A node that crashed between granting a vote and the next heartbeat forgot its vote and could grant a second one "
            "in the same term.",
            "Two leaders were possible",
        ),
        why=claim("The fault was found with the new fault injector.", "Found with the new fault injector"),
        contested=[
            contest(
                "settled",
                "The rename needed a sync of the folder as well, or the file could vanish.",
                "The rename needs a sync of the folder as well, otherwise the file can vanish with the directory entry.",
            )
        ],
        risks=[
            risk(
                "slowdown",
                "Elections take one more disk sync, which may be slow on spinning disks.",
                "Elections take one more disk sync.",
                "How long does the extra sync take on spinning disks?",
            )
        ],
        importance=reason(
            "assumption",
            "Two leaders were possible in one term after a crash.",
            "Two leaders were possible for up to one election timeout.",
        ),
        keywords=["election", "vote", "crash"],
    ),
    4872: answered(
        claim(
            "The exception for loopback callers is removed and tokens are compared in constant time.",
            "if peer.ip().is_loopback() {",
            "constant_time_eq(token.as_bytes(), config.admin_token.expose().as_bytes())",
        ),
        effect=claim(
            "Callers from localhost are no longer trusted by the admin API; every admin call needs a token.",
            "the admin API trusted every caller from 127.0.0.1",
            "A token is now always required and compared in constant time.",
        ),
        why=claim(
            "Behind a sidecar proxy anybody who reached the proxy was an admin.",
            "Behind a sidecar proxy every caller is 127.0.0.1, so anybody who reached the proxy was an admin.",
        ),
        actions=[
            action(
                "breaking-change",
                "Set admin_token before the upgrade: the server does not start without one.",
                "Required since 1.10: the server does not start without one.",
                "pub allow_local_without_token: bool,",
                way_back="Set allow_local_without_token to true, for development only.",
            )
        ],
        risks=[
            risk(
                "breaking-change",
                "Local scripts that call the admin API without a token are refused.",
                "A token is now always required and compared in constant time.",
                "return Err(AdminError::Unauthenticated);",
            )
        ],
        importance=reason(
            "security",
            "Anybody behind a proxy on the same host could act as an admin.",
            "if peer.ip().is_loopback() {",
            "so anybody who reached the proxy was an admin",
        ),
        keywords=["admin", "token", "localhost"],
    ),
    4877: answered(
        claim(
            "Appends wait in a queue and are written as a group with a single sync.",
            "Write what has gathered, sync once, then answer everybody who waits.",
        ),
        effect=claim(
            "With 16 writers the write path reaches 2.9x the throughput: up to 64 appends within 500 µs share one fdatasync.",
            "Up to 64 appends that arrive within 500 µs share one `fdatasync`: 2.9x the throughput with 16 writers",
        ),
        limits=[
            limit(
                "hardware",
                "Measured on an NVMe disk with 16 writers and 512-byte records.",
                "Measured with `cargo bench append` on an NVMe disk, 16 writers, 512-byte records, `acks=all`:",
            )
        ],
        actions=[
            action(
                "new-default",
                "A single writer waits up to 0.5 ms longer, because appends are now grouped.",
                "A single writer waits up to 0.5 ms longer.",
            )
        ],
        contested=[
            contest(
                "rejected",
                "Whether grouping should be on by default was disputed, as a slow producer sees 0.5 ms more; it stays on.",
                "Should this really be on by default? A single slow producer sees 0.5 ms more.",
                "We decided in the storage call to leave it on: the median improves for two writers already.",
            )
        ],
        risks=[
            risk(
                "slowdown",
                "A single slow producer waits up to 0.5 ms longer for each append.",
                "A single writer waits up to 0.5 ms longer.",
            )
        ],
        importance=reason(
            "performance",
            "Throughput rises from 41,200 to 118,900 appends/s in the benchmark.",
            "appends/s | 41,200 | 118,900",
        ),
        keywords=["fdatasync", "append", "throughput", "latency"],
    ),
    4879: answered(
        claim(
            "The preview renders nodes instead of setting inner HTML.",
            "return <pre>{highlightNodes(props.text)}</pre>;",
            "dangerouslySetInnerHTML={{ __html: highlight(props.text) }}",
        ),
        effect=claim(
            "Scripts in a message no longer run in the console of whoever looks at it.",
            "A message with a `<script>` tag in it ran in the console of whoever looked at it",
            "ran in the console of whoever looked at it",
        ),
        why=claim(
            "It was a stored XSS of high severity in all versions since 1.4.",
            "Stored XSS, severity high, all versions since 1.4.",
        ),
        importance=reason(
            "security",
            "Anybody who could write a message could run a script in the console of its readers.",
            "dangerouslySetInnerHTML={{ __html: highlight(props.text) }}",
            "ran in the console of whoever looked at it",
        ),
        keywords=["XSS", "console", "preview"],
    ),
    4890: answered(
        claim(
            "The toolchain moves from 1.85.1 to 1.87.0 and the edition to 2024.",
            'channel = "1.85.1"',
            'channel = "1.87.0"',
            '+edition = "2024"\n+rust-version = "1.87"',
        ),
        effect=claim(
            "Building from source needs Rust 1.87.",
            "Raises the minimum supported Rust version to 1.87. Distributions that build from source need the newer compiler.",
            'rust-version = "1.87"',
        ),
        actions=[
            action(
                "dependency",
                "Distributions that build from source need Rust 1.87.",
                "Raises the minimum supported Rust version to 1.87. Distributions that build from source need the newer compiler.",
            )
        ],
        keywords=["Rust", "toolchain", "edition"],
    ),
    4895: answered(
        claim(
            "Compaction drops a tombstone only when it is older than tombstone_grace.",
            "if outdated || (record.is_tombstone() && record.age() > self.tombstone_grace) {",
        ),
        effect=claim(
            "Consumers that were offline during compaction now learn that a key was deleted, within the grace time of 24 h.",
            "A consumer that was offline during compaction never learned that a key had been deleted and kept the deleted value "
            "for ever.",
            "Tombstones now stay for `compaction.tombstone_grace` (24 h).",
        ),
        risks=[
            risk(
                "resource-use",
                "Tombstones stay longer on disk than before.",
                "Tombstones now stay for `compaction.tombstone_grace` (24 h).",
            )
        ],
        importance=reason(
            "assumption",
            "Deleted values could stay with a consumer for ever.",
            "kept the deleted value for ever",
        ),
        keywords=["compaction", "tombstone"],
    ),
    4905: answered(
        claim(
            "The listener answers version 0 with a refusal instead of serving the legacy frame.",
            '0 => Err(NetError::Retired { version: 0, since: "1.10" }),',
            "0 => legacy_frame::serve(stream, sessions).await,",
        ),
        effect=claim(
            "Clients older than 1.4 cannot connect any more and are told the version that is needed.",
            "Clients older than 1.4 cannot connect any more; they get a clear refusal with the version that is needed.",
        ),
        actions=[
            action(
                "removal",
                "Wire protocol version 0 is removed: clients that still speak it are refused.",
                "wire protocol version 0 and `Admin.DescribeLegacySessions` are removed.",
            )
        ],
        contested=[
            contest(
                "settled",
                "Agents of version 0.9 are in the field until autumn; they can stay on 1.9, which gets fixes until December.",
                "We still have 0.9 agents in the field until autumn.",
                "They can stay on 1.9, which gets security fixes until December.",
            )
        ],
        importance=reason(
            "must-act",
            "Old clients are refused after the upgrade.",
            '0 => Err(NetError::Retired { version: 0, since: "1.10" }),',
        ),
        keywords=["wire protocol", "v0"],
    ),
}
