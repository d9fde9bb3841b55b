# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rule by which utils/history finds commits that fix something: what texts declare, before a commit and after it."""
import collections
import re

MENDS = r"fix(?:es|ed|ing)?|wrong|incorrect|correct(?:s|ed)?|mismatch(?:es|ed)?|repair(?:s|ed)?|bug|broken|missing"
ABOUT = r"schemas?|signatures?|alias(?:es|ed|ing)?|mutat\w*|annotat\w*|dispatch keys?"
FOLLOWS = r"companion|upstream|align(?:s|ed|ment)?|adapt(?:s|ed|ation)?|compatib\w+"
WORDS = re.compile(rf"\b(?:{MENDS}|{ABOUT}|{FOLLOWS})\b", re.I)
PYBIND = re.compile(r"\bpy::|\bpybind11\b|\bPYBIND11_MODULE\b")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|("(?:\\.|[^"\\\n])*")', re.S)
RAW = re.compile(r'R"(\w*)\((.*?)\)\1"', re.S)
JOINED = re.compile(r'"\s*"')
SCHEMA = re.compile(r'"((?:\w+::)*\w[\w.]*)(\([^"]*\)\s*->[^"]*)"')
FUNC = re.compile(r"^\s*-?\s*func:\s*((?:\w+::)*\w[\w.]*)(\(.*\)\s*->.*)$", re.M)
ITEM = re.compile(r"^\s*-\s+(?:func:\s*)?((?:\w+::)*\w+)(\.\w+)?\s*(?:#.*)?$", re.M)
BLOCK = re.compile(r"\b(PYBIND11_MODULE|\w*TORCH_LIBRARY\w*|RegisterOperators)\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)")
REGISTRATION = re.compile(r'(?:\b\w+\.(?:def|impl|op)|\bDISPATCH_TO_\w+|\bFBGEMM_OP_\w+)\s*\(\s*'
                          r'(?:(?:TORCH_SELECTIVE_\w+|torch::schema)\s*\(\s*)?"([^"]+)"\s*\)?')
DECLARED = re.compile(r"([\w:>&*\]]+[\s&*]+)((?:\w+::)*\w+)\s*\(")
NO_TYPE = re.compile(r"(?:^|\s)(return|new|else|throw|case|goto|delete|co_return|typedef|using)\s*$")
NO_FUNCTION = {"if", "for", "while", "switch", "return", "sizeof", "defined", "catch", "decltype", "alignas"}
QUALIFIER = re.compile(r"\b(static|inline|extern|virtual|explicit|constexpr|__host__|__device__|[A-Z][A-Z0-9]*_(?:API|EXPORT)"
                       r"|C10_\w+|at|c10|std|torch)\b(?:::)?")


def plain(text):
    """Source text without comments, adjacent and raw strings as one."""
    text = RAW.sub(lambda match: '"' + match.group(2).replace('"', "'").replace("\n", " ") + '"', text)
    text = COMMENT.sub(lambda match: match.group(1) or " ", text)
    return JOINED.sub("", text)


def parts(text):
    """What commas part, outside of brackets."""
    out, depth, last = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "(<[{") - (sign in ")>]}" and text[at - 1:at + 1] != "->")
        if sign == "," and depth == 0:
            out.append(text[last:at])
            last = at + 1
    return [part.strip() for part in out + [text[last:]] if part.strip()]


def behind(text, at):
    """What stands between a parenthesis that is open at a place and the one that closes it; where that ends."""
    depth = 1
    for end in range(at, min(at + 6000, len(text))):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return text[at:end], end + 1
    return "", at


def squeezed(text):
    return re.sub(r"\s+", "", text)


def schemas(name, text):
    """The schemas of each operator; in the list of a backend also the overloads that are listed."""
    found = collections.defaultdict(set)
    yaml = name.endswith((".yaml", ".yml"))
    for operator, schema in (FUNC if yaml else SCHEMA).findall(text):
        found[operator].add(squeezed(schema))
    if yaml:
        for base, overload in ITEM.findall(text):
            found[base].add(overload)
    return found


def registrations(text):
    """What is registered: (library and key, operator, kernel); nothing of pybind's."""
    bound = PYBIND.search(text)
    marks = [(match.start(), match) for match in BLOCK.finditer(text)]
    found = set()
    for match in REGISTRATION.finditer(text):
        block = next((mark for at, mark in reversed(marks) if at < match.start()), None)
        if block.group(1) == "PYBIND11_MODULE" if block else bound:
            continue
        kernel, _ = behind(text, match.end())
        if "{{" in match.group(1) + kernel:  # the template of a generator
            continue
        operator = match.group(1).split("(")[0].strip()
        found.add((squeezed(block.group(2)) if block else "", operator, squeezed(kernel.lstrip(" ,"))))
    return found


def kernel_names(text):
    """The functions that registrations name."""
    return {name for _, _, kernel in registrations(text) for name in re.findall(r"\w+", kernel)}


def type_of(parameter):
    parameter = parameter.split("=")[0].strip()
    parameter = re.sub(r"\b(\w+)\s*$", "", parameter) if re.search(r"[\w>&*\]]\s*[\s&*>]\s*\w+$", parameter) else parameter
    return squeezed(QUALIFIER.sub("", parameter))


def functions(text):
    """What each function that is declared returns, and the types of its parameters."""
    found = collections.defaultdict(set)
    for match in DECLARED.finditer(text):
        name = match.group(2).split("::")[-1]
        if name in NO_FUNCTION or NO_TYPE.search(match.group(1).rstrip() + " ") or NO_TYPE.search(match.group(1)):
            continue
        parameters, end = behind(text, match.end())
        if not re.match(r"\s*(?:const)?\s*(?:noexcept)?\s*(?:override)?\s*[{;]", text[end:end + 60]):
            continue
        begin = max(text.rfind(sign, 0, match.start(2)) for sign in ";{}#\"(")
        returned = QUALIFIER.sub("", re.sub(r"template\s*<[^;{}]*?>\s*(?=[\w:])", "", text[begin + 1:match.start(2)]))
        types = [type_of(part) for part in parts(parameters)]
        if parameters.strip() and not re.search(r"[\w>&*\]]\s+[&*]*\s*\w", parameters):
            continue  # a call
        found[name].add((squeezed(returned), tuple(types)))
    return found


def count_of(schema):
    inner, _ = behind(schema, 1)
    return len([part for part in parts(inner) if part != "*"])


def takes_tensors(signatures):
    return any(re.search(r"(?<![A-Z])(Tensor|TensorList|ITensorListRef)(?![A-Za-z])", part)
               for _, types in signatures for part in types)


def together(old, new, kernels):
    """Whether an operator's schema and its kernels gain or lose arguments together, and agree in their number before
    and after: what is new, and fixes nothing."""
    counts = [{count_of(schema) for schema in side if schema.startswith("(")} for side in (old, new)]
    return bool(kernels) and counts[0] != counts[1] and all(
        count <= {len(types) for _, types in kernel[side]} for kernel in kernels for side, count in enumerate(counts))


class Text:
    """What a file declares in one revision."""

    def __init__(self, name, text):
        text = text if name.endswith((".yaml", ".yml")) else plain(text)
        self.schemas = schemas(name, text)
        code = not name.endswith((".yaml", ".yml"))
        self.registrations = registrations(text) if code else set()
        self.functions = functions(text) if code else {}


def changed(before, after):
    """The names whose values are others: something is gone, and something is in its place."""
    return {name for name in before.keys() & after.keys() if before[name] - after[name] and after[name] - before[name]}


def grouped(rows, by):
    out = collections.defaultdict(set)
    for row in rows:
        out[by(row)].add(row)
    return out


def merged(texts, field):
    out = collections.defaultdict(set)
    for text in texts:
        for name, values in getattr(text, field).items():
            out[name] |= values
    return out


def why(before, after, kernels):
    """What a commit fixes: {kind: names}, of the texts of its files; `kernels` says which functions are registered."""
    old, new = [merged(texts, "schemas") for texts in (before, after)]
    found = {"schema": changed(old, new)}
    rows = [set().union(*(text.registrations for text in texts)) for texts in (before, after)]
    gone, come = rows[0] - rows[1], rows[1] - rows[0]
    operators = {name for name in changed(grouped(gone, lambda row: row[1]), grouped(come, lambda row: row[1]))}
    names = changed(*(grouped([row for row in part if row[2]], lambda row: row[2]) for part in (gone, come)))
    found["registration"] = operators | names
    was, now = [merged(texts, "functions") for texts in (before, after)]
    differ = changed(was, now)
    found["signature"] = kernels({name for name in differ if takes_tensors(was[name] | now[name])})
    for operator in list(found["schema"]):
        serve = {name for row in rows[0] | rows[1] if row[1] == operator for name in re.findall(r"\w+", row[2])}
        serve.add(operator.split("::")[-1].split(".")[0])
        if together(old[operator], new[operator], [(was[name], now[name]) for name in serve & differ]):
            found["schema"].discard(operator)
            found["signature"] -= serve
    return {kind: names for kind, names in found.items() if names}
