"""Where a reference points, within one document: nothing is fetched."""

from __future__ import annotations

from urllib.parse import unquote, urldefrag, urljoin

from sleuth.result import Json
from sleuth.structured_output.schema.words import subschemas, unescaped


class Unresolved(ValueError):
    """A reference to something that is not in the schema."""


class References:
    """The resources, anchors and pointers of a schema (2020-12 core, sections 8.2 and 9.2).

    Schemas are told apart as objects, so `find` takes one that stands in the document itself, not a copy of it.
    """

    def __init__(self, root: Json) -> None:
        self._root = root
        self._resources: dict[str, Json] = {"": root}
        self._anchors: dict[tuple[str, str], Json] = {}
        self._dynamic: dict[str, int] = {}
        self._bases: dict[int, str] = {}
        self._enter(root, "")

    def find(self, reference: str, standing_in: Json) -> Json:
        """Raises Unresolved."""
        resource, fragment = urldefrag(urljoin(self._bases.get(id(standing_in), ""), reference))
        try:
            target = self._resources[resource]
            if fragment.startswith("/"):
                return self._at(unquote(fragment), target, resource)
            return self._anchors[resource, unquote(fragment)] if fragment else target
        except (LookupError, TypeError, ValueError):
            raise Unresolved(f"{reference} is not in the schema") from None

    def dynamic(self, anchor: str) -> bool:
        """Whether which schema `#anchor` means depends on the way that led there: there are several of that name."""
        return self._dynamic.get(anchor, 0) > 1

    def _enter(self, schema: Json, base: str) -> None:
        if not isinstance(schema, dict) or id(schema) in self._bases:
            return
        name = schema.get("$id", schema.get("id"))  # "id" in draft 4
        if isinstance(name, str):
            resource, fragment = urldefrag(urljoin(base, name))
            if name.startswith("#"):  # how drafts 4 to 7 write an anchor
                self._anchors[base, fragment] = schema
            else:
                base = resource
                self._resources.setdefault(base, schema)
        self._bases[id(schema)] = base
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = schema.get(keyword)
            if isinstance(anchor, str):
                self._anchors[base, anchor] = schema
                self._dynamic[anchor] = self._dynamic.get(anchor, 0) + (keyword == "$dynamicAnchor")
        for _, below in subschemas(schema):
            self._enter(below, base)

    def _at(self, pointer: str, start: Json, base: str) -> Json:
        """May lead through what is no keyword; then what stands there is a schema all the same."""
        node = start
        for step in map(unescaped, pointer.split("/")[1:]):
            node = node[int(step)] if isinstance(node, list) else _member(node, step)
            base = self._bases.get(id(node), base)
        self._enter(node, base)
        return node


def _member(node: Json, name: str) -> Json:
    if not isinstance(node, dict):
        raise LookupError(name)
    return node[name]
