"""May this statement run? Decided on the tree of the engine's own parser, before anything runs; what is not known is refused."""
