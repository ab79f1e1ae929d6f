"""The embedded world model: a scene drawn from its state with skia and NumPy, no learned weights. Own design.

Nothing here imports skia before a picture is asked for, so the vocabulary of glyphs can be read without the extra.
"""
