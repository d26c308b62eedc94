"""JSON Schema: what it says, said again in the words that a mask can keep."""
