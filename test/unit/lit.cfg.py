# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os

import lit.formats

config.name = "opsig-unit"
config.test_source_root = os.path.join(config.opsig_obj_root, "test", "unit")
config.test_exec_root = config.test_source_root
config.excludes = ["CMakeFiles"]
# Each program runs in shards, and each TEST in it counts as a test.
config.test_format = lit.formats.GoogleTest(".", "Tests")

config.environment["OPSIG_SOURCE_ROOT"] = config.opsig_src_root
config.environment["UBSAN_OPTIONS"] = os.environ.get(
    "UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1"
)
for Name in ("ASAN_OPTIONS", "LSAN_OPTIONS"):
    if Name in os.environ:
        config.environment[Name] = os.environ[Name]
