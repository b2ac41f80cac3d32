"""The only door to Celery: the app, the names of its tasks, the doorbell, and the worker inside one process."""
