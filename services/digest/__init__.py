"""Turns the stored analyses of one week into its digest and publishes nothing itself."""
