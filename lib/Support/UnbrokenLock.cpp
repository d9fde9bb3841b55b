//===- UnbrokenLock.cpp - What a reading that is given up must not be in --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Support/UnbrokenLock.h"
#include <atomic>
#include <csignal>

using namespace opsig;

/// How many there are.
static thread_local volatile std::sig_atomic_t Depth = 0;

Unbroken::Unbroken() {
  Depth = Depth + 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

Unbroken::~Unbroken() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Depth = Depth - 1;
}

bool Unbroken::isHere() { return Depth != 0; }
