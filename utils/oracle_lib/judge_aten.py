# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `opsig gen aten` with torchgen.gen, file by file and byte by byte.

Both run in an empty folder of their own with the same arguments and relative paths, once with
headers per operator and once without, and once for each of OPTION_CASES if asked. Compared are the
exit status, the names of all files below that folder (with the lists of -o), and the bytes of each.
With OPTION_CASES come those of SELECTIONS (--op_selection_yaml_path) and of later releases.

A family that opsig says it cannot write yet is asked for no second time, but every file of it counts
as a difference. Where torchgen's own output depends on Python's hash seed (the order of tags in
RegisterSchema.cpp before 2.1), both sides are put in order before they are compared; nothing else
is touched.
"""
import re
import subprocess

from judge_backend import files_below, text_difference
from judge_plan import judge_plans, judge_static_dispatch
from torchroot import run_torchgen

CASES = {
    "per-operator headers": ["--per-operator-headers"],
    "aggregated": [],
}

OPTION_CASES = {
    "mps": ["--per-operator-headers", "--mps"],
    "rocm": ["--per-operator-headers", "--rocm"],
    "static dispatch": ["--per-operator-headers", "--static_dispatch_backend", "CPU"],
    "operator whitelist": [
        "--op_registration_whitelist",
        *("aten::add", "aten::abs", "aten::view", "aten::empty"),
        *("--generate", "sources"),
    ],
    "schemas forced": [
        *("--op_registration_whitelist", "aten::add"),
        *("--force_schema_registration", "--generate", "sources"),
    ],
    "nothing registered": ["--skip_dispatcher_op_registration", "--generate", "sources"],
    "backend whitelist": ["--backend_whitelist", "CPU", "--generate", "sources"],
    "headers only": ["--per-operator-headers", "--generate", "headers"],
    "declarations only": ["--generate", "declarations_yaml"],
    "dry run": ["--per-operator-headers", "--dry-run"],
    "static dispatch, aggregated": ["--static_dispatch_backend", "CPU"],
    "static dispatch to two keys": [
        *("--per-operator-headers", "--static_dispatch_backend"),
        *("CompositeExplicitAutograd", "CUDA"),
    ],
    "static dispatch of few operators": [
        *("--static_dispatch_backend", "QuantizedCPU"),
        *("--op_registration_whitelist", "aten::add", "aten::quantize_per_tensor"),
    ],
    "operator whitelist, per operator": [
        *("--per-operator-headers", "--op_registration_whitelist"),
        *("aten::add", "aten::sum", "aten::to", "aten::normal", "aten::empty_like"),
    ],
    "backend whitelist, per operator": [
        *("--per-operator-headers", "--backend_whitelist", "CUDA", "Meta", "SparseCPU"),
    ],
    "both whitelists": [
        *("--backend_whitelist", "CPU", "--rocm"),
        *("--op_registration_whitelist", "aten::add", "aten::convolution", "aten::view"),
    ],
    "nothing registered but schemas": [
        *("--skip_dispatcher_op_registration", "--force_schema_registration"),
        *("--op_registration_whitelist", "aten::add"),
    ],
}

# Texts for --op_selection_yaml_path, and what goes with them.
SELECTIONS = {
    "selected overloads": (
        """operators:
  aten::add.Tensor: {include_all_overloads: false}
  aten::add.out: {include_all_overloads: false}
  aten::_to_copy:
    is_root_operator: false
    is_used_for_training: false
    include_all_overloads: false
    debug_info: [one, two]
  aten::resize_: {is_root_operator: true, is_used_for_training: true, include_all_overloads: false}
  aten::empty.memory_format: {}
  quantized::add: {}
""",
        ["--per-operator-headers"],
    ),
    "selected with all overloads": (
        """include_all_non_op_selectives: true
include_all_operators: false
debug_info: [here]
operators:
  aten::mul: {include_all_overloads: true, is_root_operator: true}
  aten::upsample_nearest2d: {include_all_overloads: true}
  aten::squeeze: {include_all_overloads: true}
  aten::sort.stable: {name: aten::sort.stable, include_all_overloads: true}
custom_classes: []
build_features: [some]
""",
        [],
    ),
    "all selected": ("include_all_operators: true\noperators: {}\n", ["--generate", "sources"]),
    "none selected": ("operators: {}\n", ["--generate", "sources"]),
    "selection and forced schemas": (
        "operators:\n  aten::abs: {include_all_overloads: true}\n",
        ["--force_schema_registration", "--backend_whitelist", "CPU", "--generate", "sources"],
    ),
}

# Options that came with later releases.
LATER_OPTION_CASES = {
    (2, 4): {
        "shims updated": ["--per-operator-headers", "--update-aoti-c-shim"],
        "shims of one backend": [
            *("--backend_whitelist", "CPU", "--update-aoti-c-shim", "--generate", "sources"),
        ],
    },
    (2, 6): {
        "xpu": ["--per-operator-headers", "--xpu"],
        "xpu's shims updated": ["--xpu", "--mps", "--update-aoti-c-shim", "--generate", "sources"],
        "shims extended": ["--extend-aoti-c-shim", "--update-aoti-c-shim", "--generate", "sources"],
    },
    (2, 8): {
        "mtia": ["--per-operator-headers", "--mtia"],
        "all devices": ["--mps", "--xpu", "--mtia", "--rocm"],
    },
    (2, 12): {
        "folder of header-only files": [
            *("--per-operator-headers", "--generate", "headers"),
            *("--headeronly-install-dir", "headeronly/core"),
        ],
    },
}

DEFAULT_SHIM_FOLDER = "torch/csrc/inductor/aoti_torch/generated"

# opsig's names of the families; the first pattern that fits a file's name tells its family.
FAMILIES = (
    ("lists of files", r".*\.cmake"),
    ("backend-select", r"out/RegisterBackendSelect\.cpp"),
    ("schema-registrations", r"out/RegisterSchema\.cpp"),
    ("functionalization", r"out/(RegisterFunctionalization.*\.cpp|FunctionalInverses\.h)"),
    ("registrations", r"out/Register.*\.cpp"),
    ("view-meta-classes", r"out/ViewMetaClasses\.(h|cpp)"),
    ("composite-view-copies", r"out/CompositeViewCopyKernels\.cpp"),
    ("operator-sources", r"out/Operators.*\.cpp"),
    ("fixed-sources", r"out/(Functions|core/TensorMethods)\.cpp"),
    ("operator-list", r"out/core/ATenOpList\.cpp"),
    ("ufunc-kernels", r"out/Ufunc.*"),
    ("aoti-shims", r"(aoti|torch/csrc/inductor/aoti_torch/generated)/.*"),
    ("tensor-methods", r"out/(core/TensorBody|RedispatchFunctions)\.h"),
    ("registration-declarations", r"out/RegistrationDeclarations\.h"),
    ("vmap-plumbing", r"out/VmapGeneratedPlumbing\.h"),
    ("name-lists", r"(out|headeronly)/core/(aten_interned_strings|enum_tag)\.h"),
    ("declarations-yaml", r"out/Declarations\.yaml"),
    ("dispatch-headers", r"out/(ops/.*_dispatch\.h|\w+Functions(_inl)\.h)"),
    ("dispatch-headers", r"out/(CPU|CUDA|Meta|Composite|MPS|SparseMPS|SparseCsrMPS|XPU|MTIA)\w*Functions\.h"),
    ("operator-headers", r"out/(ops/)?\w+\.h"),
)


def family_of(file):
    for family, pattern in FAMILIES:
        if re.fullmatch(pattern, file):
            return family
    return "of no known family"


def cases_of(release, every_option, inputs):
    """Name => arguments; the selections are written into the folder `inputs`."""
    cases = dict(CASES)
    if every_option:
        cases.update(OPTION_CASES)
        for since, more in LATER_OPTION_CASES.items():
            if release >= since:
                cases.update(more)
        inputs.mkdir()
        for name, (text, arguments) in SELECTIONS.items():
            file = inputs / (name.replace(" ", "-") + ".yaml")
            file.write_text(text)
            cases[name] = [*arguments, "--op_selection_yaml_path", str(file)]
    return cases


def common_arguments(root, case):
    shims = ["--aoti_install_dir", "aoti"] if root.release >= (2, 4) else []
    return ["--install_dir", "out", "-o", "out.cmake", *shims, *case]


def shim_folder(root, folder):
    """Where torchgen put the C shims; before 2.4 no option says where."""
    return folder / ("aoti" if root.release >= (2, 4) else DEFAULT_SHIM_FOLDER)


def run_opsig(opsig, root, arguments, folder):
    """Runs opsig; where it cannot write some families, again for all others.

    Returns the finished process and the text that names the missing families ("" if none is).
    """
    command = [str(opsig), "gen", "aten", "--torch-root", str(root.path.resolve()), *arguments]

    def run(more):
        return subprocess.run(
            [*command, *more], cwd=folder, capture_output=True, text=True, check=False
        )

    done = run([])
    if done.returncode != 2 or "cannot be written yet" not in done.stderr:
        return done, ""
    return run(["--families", "written"]), done.stderr.split("cannot be written yet:")[1]


def with_tags_sorted(data):
    """The bytes of RegisterSchema.cpp with the tags of each schema in order."""

    def in_order(found):
        return b"{" + b", ".join(sorted(found[1].split(b", "))) + b"});"

    return re.sub(rb"\{(at::Tag::[^{}]*)\}\);", in_order, data)


def compare_trees(tally, name, want, got, sorts_tags):
    for file in sorted(set(want) | set(got)):
        group = family_of(file)
        where = f"{name}: {file}"
        tally.compared[group] = tally.compared.get(group, 0) + 1
        if file not in got:
            tally.differ(group, f"{where}\n      opsig does not write it")
            continue
        if file not in want:
            tally.differ(group, f"{where}\n      torchgen does not write it")
            continue
        texts = want[file], got[file]
        if sorts_tags and file.endswith("/RegisterSchema.cpp"):
            texts = tuple(map(with_tags_sorted, texts))
        if texts[0] != texts[1]:
            tally.differ(group, f"{where}\n{text_difference(*texts)}")


def compare_case(tally, name, case, opsig, root, shadow, scratch):
    folders = {who: scratch / who / name.replace(" ", "-") for who in ("torchgen", "opsig")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    arguments = common_arguments(root, case)
    run_torchgen(
        ["-m", "torchgen.gen", "--source-path", shadow / "aten" / "src" / "ATen", *arguments],
        env=root.environment(scratch, front=[shadow]),
        cwd=folders["torchgen"],
    )
    done, missing = run_opsig(opsig, root, arguments, folders["opsig"])
    if missing:
        print(f"  {name}: opsig does not write yet:{missing.rstrip()}")
    tally.same("exit status", f"{name}: {done.stderr.strip()[:600]}", 0, done.returncode)
    want, got = (files_below(folders[who]) for who in ("torchgen", "opsig"))
    compare_trees(tally, name, want, got, sorts_tags=root.release < (2, 1))


def judge_aten(tally, opsig, root, scratch, every_option=False):
    """Compares all cases, and the plans with what torchgen wrote.

    torchgen's files stay in torchgen/ below `scratch`, opsig's in opsig/.
    """
    shadow = scratch / "shadow"
    if not shadow.exists():
        root.make_shadow(scratch)
    if root.release < (2, 1):
        print("  RegisterSchema.cpp: tags are sorted on both sides (torchgen's order is random)")
    for name, case in cases_of(root.release, every_option, scratch / "inputs").items():
        compare_case(tally, name, case, opsig, root, shadow, scratch)
    written = scratch / "torchgen"
    folder = written / "per-operator-headers"
    judge_plans(tally, opsig, root, folder / "out", shim_folder(root, folder))
    if every_option:
        folder = written / "static-dispatch" / "out"
        judge_static_dispatch(tally, opsig, root, folder, ["CPU"])
