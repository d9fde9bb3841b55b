"""opsig in a Bazel workspace: facts of each C++ source as an action, and tests that join them.

In WORKSPACE, of an opsig that is installed below /usr:

    local_repository(name = "opsig", path = "/usr/share/opsig/bazel")

In .bazelrc, and in the BUILD file that it names:

    build --@opsig//:settings=//:opsig

    load("@opsig//:opsig.bzl", "opsig_settings", "opsig_test")
    opsig_settings(name = "opsig", backends = ["demo.yaml"], ...)
    opsig_test(name = "kernels_test", deps = ["//csrc:kernels"])

An action reads one source, sees what is declared as its input and nothing else of the workspace, and writes no path
of this machine: its facts can be made anywhere, and come out of any cache. What belongs to the toolchain and to opsig
(the system's headers, Clang's own) has to be the same everywhere, as for the compiler.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

OpsigSettingsInfo = provider(
    doc = "What all runs of opsig in a workspace share.",
    fields = {
        "program": "opsig",
        "options": "of `opsig check`, for reading and for joining",
        "flags": "of the compiler, behind those of a target",
        "dropped": "flags of a target that are not for Clang",
        "files": "depset: what the options name, and what is installed beside the program",
    },
)

OpsigFactsInfo = provider(
    doc = "What opsig knows of a target and of all that it depends on.",
    fields = {
        "facts": "depset: the facts of each source",
        "files": "depset: the files that facts point into",
    },
)

def _single_option(name, file):
    return ["--%s=%s" % (name, file.path)] if file else []

def _opsig_settings_impl(ctx):
    # The folder of .opsig.yaml is the project's; whatever stands above the workspace is not looked at.
    root = ctx.file.config.dirname if ctx.file.config else ""
    options = ["--root=" + (root or "."), "--no-cache", "-j1"]
    options += _single_option("schemas", ctx.file.schemas)
    options += _single_option("tags", ctx.file.schema_tags)
    if ctx.attr.torch:
        options.append("--torch=" + ctx.attr.torch)
    options += ["--backend=" + backend.path for backend in ctx.files.backends]
    named = [file for file in [ctx.file.config, ctx.file.schemas, ctx.file.schema_tags] if file]
    return [OpsigSettingsInfo(
        program = ctx.executable.opsig,
        options = options + ctx.attr.options,
        flags = ctx.attr.flags,
        dropped = ctx.attr.dropped_flags,
        files = depset(named + ctx.files.backends + ctx.files.data + ctx.files.opsig_data),
    )]

opsig_settings = rule(
    implementation = _opsig_settings_impl,
    doc = "The settings of a workspace, to be named by --@opsig//:settings.",
    attrs = {
        "backends": attr.label_list(allow_files = True, doc = "YAML files of backends"),
        "schemas": attr.label(allow_single_file = True, doc = "native_functions.yaml"),
        "schema_tags": attr.label(allow_single_file = True, doc = "tags.yaml"),
        "torch": attr.string(doc = "the PyTorch that these are of, MAJOR.MINOR"),
        "config": attr.label(allow_single_file = True, doc = ".opsig.yaml"),
        "data": attr.label_list(allow_files = True, doc = "files that .opsig.yaml or options name"),
        "options": attr.string_list(doc = "further options of `opsig check`, such as --checks=..."),
        "flags": attr.string_list(doc = "further flags of Clang, such as -resource-dir=..."),
        "dropped_flags": attr.string_list(
            default = ["-fno-canonical-system-headers"],
            doc = "flags of the workspace's compiler that Clang does not know",
        ),
        "opsig": attr.label(
            default = ":bin/opsig",
            executable = True,
            cfg = "exec",
            allow_single_file = True,
        ),
        "opsig_data": attr.label_list(default = [":share"], allow_files = True, cfg = "exec"),
    },
)

#===--- Facts ------------------------------------------------------------------------------===#

_SOURCES = ["cpp", "cc", "cxx", "c++", "C", "cp", "cu", "hip", "mu"]

# Along which attributes a target depends on others that it is linked with.
_EDGES = ["deps", "implementation_deps"]

def _shell_words(text):
    """Words as Bourne's shell makes them, which Bazel does with copts, too."""
    words = []
    word = None
    quote = ""
    escaped = False
    for char in text.elems():
        if escaped:
            word = (word or "") + char
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote:
            if char == quote:
                quote = ""
            else:
                word = (word or "") + char
        elif char in ["'", "\""]:
            quote = char
            word = word or ""
        elif char in [" ", "\t", "\n"]:
            if word != None:
                words.append(word)
            word = None
        else:
            word = (word or "") + char
    return words + ([word] if word != None else [])

def _copts(ctx):
    """The target's own flags, with its make variables and locations."""
    variables = dict(ctx.var)
    for toolchain in getattr(ctx.rule.attr, "toolchains", []):
        if platform_common.TemplateVariableInfo in toolchain:
            variables.update(toolchain[platform_common.TemplateVariableInfo].variables)
    named = []
    for edge in _EDGES + ["srcs", "hdrs", "data", "additional_compiler_inputs"]:
        named += getattr(ctx.rule.attr, edge, None) or []
    flags = []
    for copt in getattr(ctx.rule.attr, "copts", []):
        if "$(location" in copt or "$(execpath" in copt:
            copt = ctx.expand_location(copt, named)
        for name, value in variables.items():
            copt = copt.replace("$(%s)" % name, value)
        flags += _shell_words(copt)
    return flags

def _is_of_workspace(folder):
    return not (folder.startswith("external/") or folder.startswith("/") or "/bin/external/" in folder)

def _compiler_flags(ctx, context, toolchain):
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    cpp = ctx.fragments.cpp

    # Bazel takes every folder of `includes` for one of the system, whose headers nobody checks.
    system = context.system_includes.to_list()
    own = [folder for folder in system if _is_of_workspace(folder)]
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = cpp.copts + cpp.cxxopts + _copts(ctx),
        include_directories = depset(own, transitive = [context.includes]),
        quote_include_directories = context.quote_includes,
        system_include_directories = depset([folder for folder in system if folder not in own]),
        framework_include_directories = context.framework_includes,
        preprocessor_defines = depset(transitive = [context.defines, context.local_defines]),
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )

def _read_facts(ctx, target, source, flags, inputs, settings):
    facts = ctx.actions.declare_file("%s.opsig/%s.facts" % (target.label.name, source.short_path))
    arguments = ctx.actions.args()
    arguments.add("check")
    arguments.add_all(settings.options)
    arguments.add("--quiet")
    arguments.add(facts, format = "--facts-out=%s")
    arguments.add(source)
    arguments.add("--")
    arguments.add_all(flags)
    ctx.actions.run(
        executable = settings.program,
        arguments = [arguments],
        inputs = depset([source], transitive = [inputs]),
        outputs = [facts],
        mnemonic = "OpsigFacts",
        progress_message = "Reading facts of %s" % source.short_path,
    )
    return facts

def _opsig_aspect_impl(target, ctx):
    below = []
    for edge in _EDGES:
        for dep in getattr(ctx.rule.attr, edge, None) or []:
            if OpsigFactsInfo in dep:
                below.append(dep[OpsigFactsInfo])

    # What other repositories have is theirs to check.
    sources = []
    if CcInfo in target and not target.label.workspace_root and hasattr(ctx.rule.files, "srcs"):
        sources = [file for file in ctx.rule.files.srcs if file.extension in _SOURCES]
    facts = []
    files = []
    if sources:
        settings = ctx.attr._settings[OpsigSettingsInfo]
        toolchain = find_cpp_toolchain(ctx)
        context = target[CcInfo].compilation_context
        flags = [
            flag
            for flag in _compiler_flags(ctx, context, toolchain)
            if flag not in settings.dropped
        ] + settings.flags
        headers = [file for file in ctx.rule.files.srcs if file not in sources]
        files = [depset(headers + sources, transitive = [context.headers])]
        inputs = depset(
            headers + getattr(ctx.rule.files, "additional_compiler_inputs", []),
            transitive = [context.headers, settings.files, toolchain.all_files],
        )
        facts = [
            _read_facts(ctx, target, source, flags, inputs, settings)
            for source in sources
        ]
    all_facts = depset(facts, transitive = [info.facts for info in below])
    return [
        OpsigFactsInfo(
            facts = all_facts,
            files = depset(transitive = files + [info.files for info in below]),
        ),
        OutputGroupInfo(opsig_facts = all_facts),
    ]

opsig_aspect = aspect(
    implementation = _opsig_aspect_impl,
    doc = "Makes the facts of a target's sources, and of all that it depends on: output group opsig_facts.",
    attr_aspects = _EDGES,
    attrs = {
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_settings": attr.label(default = ":settings", providers = [OpsigSettingsInfo]),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

#===--- Tests ------------------------------------------------------------------------------===#

# Findings are no failure of an action: the test tells them.
_JOIN = """
program=$1 report=$2
shift 2
status=0
"$program" "$@" > "$report.text" 2>&1 || status=$?
{ echo "$status"; cat "$report.text"; } > "$report"
rm "$report.text"
"""

_TELL = """#!/bin/sh
# Tells what was found where the facts were joined. The first line is the exit status of opsig.
{ read -r status; cat; } < '%s'
exit "$status"
"""

def _opsig_test_impl(ctx):
    settings = ctx.attr._settings[OpsigSettingsInfo]
    facts = depset(transitive = [dep[OpsigFactsInfo].facts for dep in ctx.attr.deps])
    files = [dep[OpsigFactsInfo].files for dep in ctx.attr.deps]
    report = ctx.actions.declare_file(ctx.label.name + ".report")
    arguments = ctx.actions.args()
    arguments.add(settings.program)
    arguments.add(report)
    arguments.add("check")
    arguments.add_all(settings.options + ctx.attr.options)
    arguments.add("--suppress-path=external/**")
    arguments.add_all(ctx.files.python)

    # opsig takes @FILE, too.
    joined = ctx.actions.args()
    joined.add_all(facts, format_each = "--facts-in=%s")
    joined.use_param_file("@%s", use_always = True)
    joined.set_param_file_format("shell")
    ctx.actions.run_shell(
        command = _JOIN,
        arguments = [arguments, joined],
        inputs = depset(
            ctx.files.data + ctx.files.python,
            transitive = [facts, settings.files] + files,
        ),
        tools = [settings.program],
        outputs = [report],
        # Where opsig looks for the python3 that it reads Python files with.
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin"},
        mnemonic = "OpsigCheck",
        progress_message = "Checking %s" % ctx.label,
    )
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, _TELL % report.short_path, is_executable = True)
    return [DefaultInfo(
        executable = script,
        files = depset([script, report]),
        runfiles = ctx.runfiles([report]),
    )]

opsig_test = rule(
    implementation = _opsig_test_impl,
    doc = "Checks the sources of its deps and of all that they depend on together, and fails with what is found.",
    test = True,
    attrs = {
        "deps": attr.label_list(aspects = [opsig_aspect], mandatory = True),
        "python": attr.label_list(
            allow_files = [".py"],
            doc = "files that may define operators and register kernels by torch.library",
        ),
        "options": attr.string_list(doc = "further options of `opsig check`, such as --baseline=..."),
        "data": attr.label_list(allow_files = True, doc = "files that options name"),
        "_settings": attr.label(default = ":settings", providers = [OpsigSettingsInfo]),
    },
)
