"""The GraphQL documents that GitHub is asked with; a test holds each against GitHub's schema."""

from __future__ import annotations

from shared.sources.convention_paths import CONVENTION_KINDS

_ACCOUNT = """
fragment Account on Actor { __typename login ... on User { databaseId } ... on Bot { databaseId } }
"""

_FACTS = """
fragment Facts on PullRequest {
  number title body state merged createdAt updatedAt mergedAt closedAt authorAssociation
  baseRefName baseRefOid headRefName headRefOid additions deletions changedFiles
  author { ...Account ... on User { name } } mergedBy { ...Account } mergeCommit { oid }
  labels(first: 100) { nodes { name } }
}
"""

MERGE = f"""
query Merge(
  $owner: String!, $name: String!, $number: Int!
  $reviews: Boolean = true, $reviewsAfter: String
  $threads: Boolean = true, $threadsAfter: String
  $comments: Boolean = true, $commentsAfter: String
  $commits: Boolean = true, $commitsAfter: String
  $checks: Boolean = true, $checksAfter: String
  $issues: Boolean = true, $issuesAfter: String
) {{
  repository(owner: $owner, name: $name) {{
    databaseId nameWithOwner
    pullRequest(number: $number) {{
      ...Facts
      reviews(first: 100, after: $reviewsAfter) @include(if: $reviews) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{ author {{ ...Account }} state body submittedAt url }}
      }}
      reviewThreads(first: 100, after: $threadsAfter) @include(if: $threads) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{
          isResolved isOutdated path line originalLine resolvedBy {{ login databaseId }}
          comments(first: 100) {{
            pageInfo {{ hasNextPage }}
            nodes {{ author {{ ...Account }} body createdAt url state }}
          }}
        }}
      }}
      comments(first: 100, after: $commentsAfter) @include(if: $comments) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{ author {{ ...Account }} body createdAt url }}
      }}
      commits(first: 100, after: $commitsAfter) @include(if: $commits) {{
        totalCount pageInfo {{ hasNextPage endCursor }}
        nodes {{ commit {{ oid message authors(first: 20) {{ nodes {{ name email user {{ login databaseId }} }} }} }} }}
      }}
      head: commits(last: 1) @include(if: $checks) {{
        nodes {{ commit {{ statusCheckRollup {{
          contexts(first: 100, after: $checksAfter) {{
            pageInfo {{ hasNextPage endCursor }}
            nodes {{
              __typename
              ... on CheckRun {{ name conclusion detailsUrl url }}
              ... on StatusContext {{ context state targetUrl }}
            }}
          }}
        }} }} }}
      }}
      closingIssuesReferences(first: 100, after: $issuesAfter) @include(if: $issues) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{ number title url repository {{ nameWithOwner }} }}
      }}
    }}
  }}
}}
{_FACTS}{_ACCOUNT}
"""
"""One merge: what is said of it and, for each list that is asked for, up to a hundred entries."""

_CLOSER = """
      timelineItems(itemTypes: [CLOSED_EVENT], last: 1) {
        nodes { ... on ClosedEvent { actor { ...Account } closer { ... on Commit { oid } } } }
      }
"""


def _listing(closer: str) -> str:
    return f"""
query Listing($owner: String!, $name: String!, $states: [PullRequestState!]!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    databaseId nameWithOwner
    pullRequests(first: 100, after: $after, states: $states, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ ...Facts {closer} }}
    }}
  }}
}}
{_FACTS}{_ACCOUNT}
"""


LISTING = _listing("")
"""A page of pull requests, the newest update first."""
LISTING_WITH_CLOSER = _listing(_CLOSER)
"""The same, with who closed each."""

_CONVENTION_PATHS = tuple(path for kind in CONVENTION_KINDS for path in kind)
CONVENTION_ALIASES = {f"file{place}": path for place, path in enumerate(_CONVENTION_PATHS)}
"""Under which name each convention file is answered."""
_TEXTS = " ".join(
    f'{alias}: object(expression: "HEAD:{path}") {{ ...Text }}' for alias, path in CONVENTION_ALIASES.items()
)

CONVENTIONS = f"""
query Conventions($owner: String!, $name: String!) {{
  repository(owner: $owner, name: $name) {{
    databaseId nameWithOwner
    head: object(expression: "HEAD") {{ oid }}
    {_TEXTS}
  }}
}}
fragment Text on Blob {{ text isBinary isTruncated }}
"""
"""The text of every file that says how the repository is to be read; ``head`` tells whether its content is seen."""

DOCUMENTS = (MERGE, LISTING, LISTING_WITH_CLOSER, CONVENTIONS)
"""Every document that is ever sent."""
