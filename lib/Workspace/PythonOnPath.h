//===- PythonOnPath.h - Where the user's Python keeps packages ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_LIB_WORKSPACE_PYTHONONPATH_H
#define OPSIG_LIB_WORKSPACE_PYTHONONPATH_H

#include <string>
#include <vector>

namespace opsig {

/// A folder for packages, and the Python on the PATH that looks there.
struct PythonPackages {
  std::string Folder, Python;
};

/// The folders where `pip install` puts packages for each python3 on the PATH, in the order in
/// which that Python searches them. No Python is run: the folders are those that belong to its
/// place (a prefix such as /usr/local or the tool cache of a CI runner, the user's own folder).
std::vector<PythonPackages> packagesOfPythonOnPath();

} // namespace opsig

#endif
