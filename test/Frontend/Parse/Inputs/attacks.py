"""A checkout whose compile commands try to run, load and write things, and files without an end.

attacks.py make DIR FLAGS...    makes DIR: a source with one finding for each attack, all good to read otherwise
attacks.py settings DIR         makes .opsig.yaml of its own in a folder for some of them, and prints their names
attacks.py state DIR            prints the files of DIR with what is in them: the same before and after a run

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import hashlib
import json
import os
import stat
import sys
from pathlib import Path

RUN_TOOL = ["--target=amdgcn-amd-amdhsa", "-mcpu=native", "--offload-arch-tool={dir}/x.sh"]

# Name => words of the command. {dir} is the checkout, where x.sh is a program that leaves a mark.
ATTACKS = {
    # Clang's driver asks programs which GPU there is.
    "tool": RUN_TOOL,
    "tool-amdgpu": ["--target=amdgcn-amd-amdhsa", "-mcpu=native", "-B{dir}/bin"],
    "tool-nvptx": ["--target=nvptx64-nvidia-cuda", "-march=native", "-B", "{dir}/bin"],
    "offload-hip": ["--offload-arch=native", "--offload-arch-tool={dir}/x.sh"],
    "offload-openmp": ["-fopenmp", "--offload-arch=native", "-B{dir}/bin"],
    "offload-targets": ["-fopenmp", "-fopenmp-targets=amdgcn-amd-amdhsa", "-B{dir}/bin"],
    "offload-sycl": ["-fsycl", "--offload-arch=native", "-B{dir}/bin"],
    "offload-split": ["-target", "amdgcn-amd-amdhsa", "-mcpu=native", "-B", "{dir}/bin"],
    "target-spirv": ["--target=spirv64-amd-amdhsa", "-mcpu=native", "-B", "{dir}/bin"],
    # The same where a look at words does not see it.
    "arch-host": ["-Xarch_host", "--offload-arch-tool={dir}/x.sh", *RUN_TOOL[:2]],
    "arch-device": ["-Xarch_device", "-fplugin={dir}/x.so"],
    "response": ["@{dir}/x.rsp"],
    "response-relative": ["@x.rsp"],
    "response-nested": ["@nested.rsp"],
    "response-self": ["@self.rsp"],
    "response-device": ["@/dev/zero"],
    "response-pipe": ["@{dir}/pipe"],
    "config": ["--config={dir}/x.cfg"],
    "config-split": ["--config", "{dir}/x.cfg"],
    "config-dir": ["--config-user-dir={dir}", "--config-system-dir={dir}", "--config=x.cfg"],
    "comma": ["-Wp,--config={dir}/x.cfg,-fplugin={dir}/x.so"],
    "comma-depth": ["-Wp,-Wp,-Wp,-fplugin={dir}/x.so"],
    # Code that is loaded.
    "plugin": ["-fplugin={dir}/x.so", "-fpass-plugin={dir}/x.so"],
    "plugin-args": ["-fplugin-arg-x-y", "-Xclang", "-load", "-Xclang", "{dir}/x.so"],
    "plugin-action": ["-Xclang", "-plugin", "-Xclang", "x", "-Xclang", "-add-plugin", "-Xclang", "x"],
    "llvm-load": ["-mllvm", "-load={dir}/x.so", "-Xclang", "-mllvm", "-Xclang", "-load={dir}/x.so"],
    "wrapper": ["-wrapper", "{dir}/x.sh", "-no-integrated-cpp", "-specs={dir}/x.cfg"],
    "linker": ["-fuse-ld={dir}/x.sh", "--ld-path={dir}/x.sh", "-T", "{dir}/x.cfg"],
    "assembler": ["-fno-integrated-as", "-fno-integrated-cc1", "-B{dir}/bin"],
    # Binary files that would be taken for Clang's own.
    "pch": ["-include-pch", "{dir}/garbage.pch"],
    "pch-compiler": ["-Xclang", "-include-pch", "-Xclang", "{dir}/own.h.pch"],
    "pch-beside": ["-include", "{dir}/own.h"],
    "pch-folder": ["-include", "{dir}/other.h"],
    "pch-validate": ["-Xclang", "-fno-validate-pch", "-Xclang", "-include-pch", "-Xclang", "{dir}/garbage.pch"],
    "module-file": ["-fmodule-file={dir}/garbage.pch"],
    "module-named": ["-std=c++20", "-fmodule-file=m={dir}/garbage.pch", "-fprebuilt-module-path={dir}"],
    "module-cache": ["-fmodules", "-fcxx-modules", "-fmodules-cache-path={dir}/out/a"],
    "module-compiler": ["-Xclang", "-fmodules", "-Xclang", "-fmodules-cache-path={dir}/out/b", "-Xclang",
                        "-fimplicit-module-maps", "-Xclang", "-fmodule-map-file={dir}/module.modulemap"],
    "module-map": ["-fmodule-map-file={dir}/module.modulemap", "-fmodules-user-build-path", "{dir}/out"],
    # Files that are written.
    "save": ["-save-temps=obj", "--save-temps", "-save-stats=obj", "-o", "{dir}/out/a.o"],
    "dependencies": ["-MD", "-MF", "{dir}/out/a.d", "-MJ", "{dir}/out/a.json", "-MMD", "-MT", "x"],
    "dependencies-compiler": ["-Xclang", "-dependency-file", "-Xclang", "{dir}/out/b.d", "-Xclang", "-MT",
                              "-Xclang", "x", "-Xclang", "-dependency-dot", "-Xclang", "{dir}/out/b.dot"],
    "dependencies-comma": ["-Wp,-MD,{dir}/out/c.d", "-Wp,-MMD,{dir}/out/e.d"],
    "diagnostics": ["--serialize-diagnostics", "{dir}/out/a.dia", "-Xclang", "-diagnostic-log-file", "-Xclang",
                    "{dir}/out/log", "-Xclang", "-serialize-diagnostic-file", "-Xclang", "{dir}/out/b.dia"],
    "trace": ["-ftime-trace={dir}/out/t.json", "-fproc-stat-report={dir}/out/p", "-ftime-report"],
    "stats": ["-Xclang", "-stats-file={dir}/out/s", "-Xclang", "-header-include-file", "-Xclang", "{dir}/out/h"],
    "reproducer": ["-gen-reproducer=always", "-fcrash-diagnostics=all", "-fcrash-diagnostics-dir={dir}/out"],
    "fragments": ["-gen-cdb-fragment-path", "{dir}/out"],
    "actions": ["-emit-ast", "--precompile", "-E", "-S", "-emit-llvm", "-o", "{dir}/out/e"],
    "actions-compiler": ["-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", "{dir}/out/f", "-Xclang", "-emit-html"],
    "analysis": ["--analyze", "-Xclang", "-analyzer-output=html", "-o", "{dir}/out/g"],
    "api": ["-extract-api", "--emit-extension-symbol-graphs", "--symbol-graph-dir={dir}/out"],
    "records": ["-foptimization-record-file={dir}/out/r", "-fsave-optimization-record", "-frecord-command-line"],
    "names": ["-Xclang", "-dump-minimization-hints={dir}/out/m", "-fmodule-output={dir}/out/n"],
    # Files that have no end, or end the program.
    "profile": ["-fprofile-use=/dev/zero", "-fprofile-instr-use=/dev/zero", "-fprofile-sample-use=/dev/zero"],
    "lists": ["-fsanitize=address", "-fsanitize-ignorelist=/dev/zero", "-fprofile-list=/dev/zero"],
    "lists-xray": ["-fxray-always-instrument=/dev/zero", "-fxray-attr-list=/dev/zero", "-fxray-instrument"],
    "overlay": ["-ivfsoverlay", "/dev/zero", "-vfsoverlay", "{dir}/pipe"],
    "remap": ["-Xclang", "-remap-file", "-Xclang", "{file};/dev/zero"],
    "mappings": ["--warning-suppression-mappings=/dev/zero", "-Wall", "-Werror"],
    "layouts": ["-Xclang", "-foverride-record-layout=/dev/zero", "-fembed-offload-object=/dev/zero"],
    "stop-after": ["-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init-stop-after=x"],
    "max-size": ["-ftrivial-auto-var-init-max-size=x", "-fpatchable-function-entry=x", "-falign-loops=x"],
    "random": ["-Xclang", "-frandomize-layout-seed-file=/dev/zero", "-fcs-profile-use=/dev/zero"],
    "api-notes": ["-fapinotes", "-iapinotes-modules", "{dir}", "-fapinotes-modules"],
    # Words that have the driver do something else.
    "print": ["-###", "--version", "-print-search-dirs", "-print-file-name=x", "--help", "-v"],
    "complete": ["--autocomplete=-", "-dumpversion", "-print-supported-cpus"],
    "mode-cl": ["--driver-mode=cl"],
    "mode-flang": ["--driver-mode=flang"],
    "compiler": ["-cc1", "-emit-obj", "-o", "{dir}/out/i"],
    "folder": ["-working-directory={dir}/out", "-fdebug-compilation-dir=/"],
    "steps": ["-fconstexpr-steps=4294967295", "-ftemplate-depth=4294967295", "-fbracket-depth=99999999999"],
    "lacks-value": ["-Xclang"],
    "empty": ["", "-", "--=", "-Xclang", "", "-Wp,", "@"],
}

SETTINGS = ["tool", "tool-amdgpu", "response-relative", "config", "plugin", "pch", "module-compiler", "dependencies"]

# Programs that stand in the checkout, and what they are called.
PROGRAMS = {"program": "bin/clang++", "program-relative": "./bin/clang++", "program-gpu": "bin/amdgcn-amd-amdhsa-clang++"}

MARK = "#!/bin/sh\ntouch '{dir}/out/ran'\necho gfx90a\n"
SOURCE = """#include <torch/library.h>
static at::Tensor k(const at::Tensor &a, int n) {{ return a; }}
TORCH_LIBRARY({name}, m) {{ m.def("f(Tensor a, int n) -> Tensor", &k); }}
"""


def make(directory, flags):
    root = Path(directory).resolve()
    (root / "bin").mkdir(parents=True)
    (root / "out").mkdir()
    (root / ".git").mkdir()  # what is around it is none of its own
    (root / "other.h.gch").mkdir()
    texts = {
        "x.cfg": "\n".join(RUN_TOOL) + "\n-fplugin={dir}/x.so\n",
        "bin/clang++.cfg": "\n".join(RUN_TOOL) + "\n-DFROM_CONFIG\n",
        "x.rsp": " ".join(RUN_TOOL) + " -MD -MF {dir}/out/rsp.d",
        "nested.rsp": "@x.rsp @{dir}/x.rsp",
        "self.rsp": "@self.rsp @self.rsp " + " ".join(RUN_TOOL),
        "own.h": "#define OWN 1\n",
        "other.h": "#define OTHER 1\n",
        "module.modulemap": 'module own { header "own.h" }\n',
    }
    for name, text in texts.items():
        (root / name).write_text(text.replace("{dir}", str(root)))
    for name in ("garbage.pch", "own.h.pch", "own.h.gch", "other.h.gch/a.pch", "x.so"):
        (root / name).write_bytes(b"CPCH" + bytes(range(256)) * 8)
    programs = ["clang++", "amdgpu-arch", "nvptx-arch", "offload-arch", "as", "ld", "clang", "llvm-offload-binary",
                "amdgcn-amd-amdhsa-clang++"]
    for name in ["x.sh", *("bin/" + name for name in programs)]:
        (root / name).write_text(MARK.format(dir=root))
        (root / name).chmod(0o755)
    os.mkfifo(root / "pipe")
    commands = []
    for name, words in [*ATTACKS.items(), *((name, []) for name in PROGRAMS)]:
        file = root / f"{name}.cpp"
        file.write_text(SOURCE.format(name=name.replace("-", "_")))
        program = PROGRAMS.get(name, "clang++")
        if program.startswith("bin/"):
            program = str(root / program)
        words = [word.format(dir=root, file=file) for word in words]
        ending = [str(file), *words] if name == "lacks-value" else [*words, "-c", str(file)]
        commands.append({"directory": str(root), "file": str(file), "arguments": [program, *flags, *ending]})
    (root / "compile_commands.json").write_text(json.dumps(commands, indent=1))


def settings(directory):
    root = Path(directory).resolve()
    for name in SETTINGS:
        words = [word.format(dir=root, file=root / f"{name}.cpp") for word in ATTACKS[name]]
        folder = root / f"of-{name}"
        folder.mkdir()
        (folder / ".opsig.yaml").write_text("flags: " + json.dumps(words) + "\n")
        (folder / "a.cpp").write_text("int a;\n")
        (folder / "x.rsp").write_text((root / "x.rsp").read_text())
        print(name)


def state(directory):
    for path in sorted(Path(directory).rglob("*")):
        mode = path.lstat().st_mode
        text = hashlib.md5(path.read_bytes()).hexdigest() if stat.S_ISREG(mode) else ""
        print(path, oct(mode), text)


if __name__ == "__main__":
    action, directory, *rest = sys.argv[1:]
    {"make": lambda: make(directory, rest), "settings": lambda: settings(directory),
     "state": lambda: state(directory)}[action]()
