"""The GraphQL API of the stand-in."""
