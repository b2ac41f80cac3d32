"""What the product does: one package for each process."""
