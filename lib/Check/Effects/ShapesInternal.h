//===- ShapesInternal.h - Sizes and elements that compilers do not have ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionFlow::Numbers of Meta kernels => sizes read as numbers, elements => findings
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_CHECK_EFFECTS_SHAPESINTERNAL_H
#define OPSIG_LIB_CHECK_EFFECTS_SHAPESINTERNAL_H

#include "Effects/EffectsInternal.h"
#include "Registrations/RegistrationInternal.h"

namespace opsig {

/// Reports symbolic-size and symbolic-value for the Meta kernels of an operator. \p Seen has the
/// kernels that were reported for another one, by where they are named.
class SymbolicShapes {
public:
  SymbolicShapes(ProjectEffects &Effects, UnitFiles &Files, Findings &Diags)
      : Effects(Effects), Files(Files), Diags(Diags) {}

  void check(const RegisteredOp &Op);

private:
  struct Body {
    const UnitFacts *Unit;
    const FunctionFlow *Flow;
    std::string Name; ///< as in messages: "'scale_meta'"
  };
  void checkBody(const Body &Of, const EntryRef &E);
  void checkSizes(const Body &Of, const EntryRef &E);
  std::optional<std::vector<Fix>> fixes(const Body &Of);

  ProjectEffects &Effects;
  UnitFiles &Files;
  Findings &Diags;
  std::set<std::pair<const UnitFacts *, uint32_t>> Seen;
};

} // namespace opsig

#endif
