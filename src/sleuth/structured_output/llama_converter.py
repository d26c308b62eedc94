"""What llama.cpp's own converter of JSON Schema leaves out, which is not only llama.cpp's server: Ollama has it too.

It passes over keywords that it does not know (https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md, "JSON Schemas
→ GBNF"), and over the lengths of a string that has a pattern.
"""

from __future__ import annotations

from sleuth.structured_output.constraint import Constraint, JsonSchema

_PASSED_OVER = (
    *("uniqueItems", "contains", "minContains", "maxContains", "prefixItems", "not", "if", "multipleOf", "format"),
    *("patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas"),
)


def leaves(constraint: Constraint) -> bool:
    """Whether some of `constraint` may be left to the check afterwards. A property that is called like a keyword counts too."""
    if not isinstance(constraint, JsonSchema):
        return False
    used = {key for key in (*_PASSED_OVER, "pattern", "minLength", "maxLength") if f'"{key}":' in constraint.text}
    return bool(used.intersection(_PASSED_OVER)) or ("pattern" in used and len(used) > 1)
