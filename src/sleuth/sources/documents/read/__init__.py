"""Files into documents, one file a format."""
