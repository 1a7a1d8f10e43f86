"""What others have measured: tables of publications, and how far off the model is on them."""
