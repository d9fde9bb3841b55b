//===- hipcub_version.hpp - the version -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_HIP_HIPCUB_HIPCUB_VERSION_HPP
#define OPSIG_STANDIN_HIP_HIPCUB_HIPCUB_VERSION_HPP

#define HIPCUB_VERSION 300200

#endif
