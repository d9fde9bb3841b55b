//===- UnitFacts.cpp - What a source file holds for the checks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opsig/Frontend/UnitFacts.h"
#include "opsig/Frontend/ApiUse.h"
#include "opsig/Frontend/BodyFlow.h"
#include "opsig/Frontend/DispatcherCall.h"
#include "opsig/Frontend/PythonFacts.h"
#include "opsig/Frontend/PythonModule.h"

namespace opsig {

UnitFacts::UnitFacts() = default;
UnitFacts::UnitFacts(const UnitFacts &) = default;
UnitFacts::UnitFacts(UnitFacts &&) noexcept = default;
UnitFacts &UnitFacts::operator=(const UnitFacts &) = default;
UnitFacts &UnitFacts::operator=(UnitFacts &&) noexcept = default;
UnitFacts::~UnitFacts() = default;

} // namespace opsig
