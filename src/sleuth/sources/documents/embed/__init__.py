"""Text into vectors: the embedder's protocol, and the model that comes with the installation."""
