"""A burst of deliveries from 64 connections: our receiver beside a bare one, with the broker well, away and silent."""
