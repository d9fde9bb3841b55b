//===- musa_prelude.h - what a MUSA compiler adds to a source -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_MUSA_MUSA_PRELUDE_H
#define OPSIG_STANDIN_MUSA_MUSA_PRELUDE_H

#ifndef __MUSACC__
#define __MUSACC__ 1
#endif
#ifndef __MUSA__
#define __MUSA__ 1
#endif
#include <musa_runtime.h>

#endif
