"""Published measurements: tables of publications, and the model's errors on them."""
