"""One small file a glyph; each holds one `GLYPH`. Found by listing this folder (vocabulary.py). Own design."""
