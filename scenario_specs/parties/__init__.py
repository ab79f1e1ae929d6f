"""Two-party play over one EP2 scenario: its block in the file, its joint tables, and proofs over them. Own design.

Nothing is gathered here: the schema of scenario files imports `block` while this package is being made.
"""
