"""The only SQL: what is captured, analysed and published, and who holds which row; sessions are passed in."""
