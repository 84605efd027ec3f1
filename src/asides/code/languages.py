"""Which languages declarations are read of, and which nodes of their grammars declare a name.

Only grammars of this table are asked for: ast-grep ends the process at one that it does not know. Kinds are
those of the tree-sitter grammars in the wheel of ast-grep-py.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One grammar.

    `kinds` declare a name wherever they stand; `values` (constants, variables) only outside of callables;
    `scopes` declare nothing themselves, but what stands in them is named after them.
    """

    name: str
    grammar: str
    kinds: frozenset[str]
    values: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()


def _language(name: str, grammar: str, kinds: str, values: str = "", scopes: str = "") -> Language:
    return Language(
        name=name,
        grammar=grammar,
        kinds=frozenset(kinds.split()),
        values=frozenset(values.split()),
        scopes=frozenset(scopes.split()),
    )


_SCRIPT = (
    "class_declaration abstract_class_declaration function_declaration generator_function_declaration"
    " method_definition interface_declaration type_alias_declaration enum_declaration internal_module"
    " function_signature"
)
_C = (
    "function_definition struct_specifier union_specifier enum_specifier type_definition preproc_def"
    " preproc_function_def"
)

_TABLE: dict[str, Language] = {
    ".py .pyi": _language("Python", "python", "class_definition function_definition", "assignment"),
    ".js .jsx .mjs .cjs": _language(
        "JavaScript", "javascript", _SCRIPT, "variable_declarator field_definition"
    ),
    ".ts .mts .cts": _language(
        "TypeScript", "typescript", _SCRIPT, "variable_declarator public_field_definition"
    ),
    ".tsx": _language("TSX", "tsx", _SCRIPT, "variable_declarator public_field_definition"),
    ".go": _language(
        "Go", "go", "function_declaration method_declaration type_spec type_alias", "const_spec var_spec"
    ),
    ".rs": _language(
        "Rust",
        "rust",
        "struct_item enum_item union_item trait_item function_item function_signature_item mod_item"
        " macro_definition type_item",
        "const_item static_item",
        "impl_item",
    ),
    ".java": _language(
        "Java",
        "java",
        "class_declaration interface_declaration enum_declaration record_declaration"
        " annotation_type_declaration method_declaration constructor_declaration",
        "field_declaration",
    ),
    ".kt .kts": _language(
        "Kotlin",
        "kotlin",
        "class_declaration object_declaration function_declaration type_alias",
        "property_declaration",
    ),
    ".cs": _language(
        "C#",
        "csharp",
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration"
        " method_declaration constructor_declaration delegate_declaration property_declaration",
        "field_declaration",
        "namespace_declaration",
    ),
    ".c .h": _language("C", "c", _C),
    ".cc .cpp .cxx .hh .hpp .hxx": _language(
        "C++", "cpp", f"{_C} class_specifier alias_declaration", "", "namespace_definition"
    ),
    ".rb .rake": _language("Ruby", "ruby", "module class method singleton_method", "assignment"),
    ".php": _language(
        "PHP",
        "php",
        "class_declaration interface_declaration trait_declaration enum_declaration function_definition"
        " method_declaration",
        "const_element",
    ),
    ".swift": _language(
        "Swift",
        "swift",
        "class_declaration protocol_declaration function_declaration protocol_function_declaration"
        " typealias_declaration",
        "property_declaration",
    ),
    ".scala .sc": _language(
        "Scala",
        "scala",
        "class_definition object_definition trait_definition function_definition function_declaration"
        " type_definition enum_definition",
        "val_definition var_definition",
    ),
    # Settings: what is declared are keys, named after the ones that they lie in.
    ".json .jsonc": _language("JSON", "json", "pair"),
    ".yaml .yml": _language("YAML", "yaml", "block_mapping_pair"),
    ".lua": _language("Lua", "lua", "function_declaration"),
    ".sh .bash": _language("Bash", "bash", "function_definition"),
}

LANGUAGES: dict[str, Language] = {
    extension: language for extensions, language in _TABLE.items() for extension in extensions.split()
}
