"""What rules read: one pass over a pull request turns title, description, paths and patches into plain facts."""
