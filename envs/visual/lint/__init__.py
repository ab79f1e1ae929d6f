"""Can what the pictures of a scenario tell be seen in them? Measured in pixels, with no model looking. Own design."""
