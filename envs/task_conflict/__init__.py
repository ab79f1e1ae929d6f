"""EP2 for two parties: incumbent against requester, stepped by joint tables. Own design (docs/two-party.md)."""
