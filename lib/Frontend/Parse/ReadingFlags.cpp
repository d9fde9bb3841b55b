//===- ReadingFlags.cpp - The tables -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Parse/ReadingFlags.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/TargetParser/Triple.h"
#include <initializer_list>

using namespace opsig;
using namespace clang::options;
using llvm::StringRef;

namespace {

struct AllowedFlags {
  llvm::StringLiteral Because;
  std::initializer_list<unsigned> Ids;
};

const AllowedFlags Allowed[] = {
    {"they set where headers are found",
     {OPT_I,
      OPT_isystem,
      OPT_iquote,
      OPT_idirafter,
      OPT_isystem_after,
      OPT_cxx_isystem,
      OPT_stdlibxx_isystem,
      OPT_iprefix,
      OPT_iwithprefix,
      OPT_iwithprefixbefore,
      OPT_iwithsysroot,
      OPT_F,
      OPT_iframework,
      OPT_iframeworkwithsysroot,
      OPT_isysroot,
      OPT__sysroot_EQ,
      OPT_embed_dir_EQ,
      OPT_resource_dir,
      OPT_gcc_toolchain,
      OPT_gcc_install_dir_EQ,
      OPT_gcc_triple_EQ,
      OPT_stdlib_EQ,
      OPT_nostdinc,
      OPT_nostdincxx,
      OPT_nostdlibinc,
      OPT_nobuiltininc,
      OPT_ibuiltininc,
      OPT_no_offload_inc,
      OPT_no_offloadlib,
      OPT_nohipwrapperinc,
      OPT_system_header_prefix,
      OPT_no_system_header_prefix}},
    {"they insert text before the source", {OPT_include, OPT_imacros, OPT_D, OPT_U, OPT_undef}},
    {"they choose the language",
     {OPT_x, OPT_std_EQ, OPT_ansi, OPT_ftrigraphs, OPT_fno_trigraphs, OPT_offload_host_only,
      OPT_no_cuda_version_check, OPT_fsyntax_only}},
    {"they choose the target, its macros and the sizes of its types", {OPT_arch, OPT_driver_mode}},
    {"they define macros",
     {OPT_pthread,
      OPT_pthreads,
      OPT_fopenmp,
      OPT_fno_openmp,
      OPT_fopenmp_EQ,
      OPT_fopenmp_simd,
      OPT_fno_openmp_simd,
      OPT_fopenmp_version_EQ,
      OPT_fopenacc,
      OPT_fPIC,
      OPT_fpic,
      OPT_fPIE,
      OPT_fpie,
      OPT_fno_PIC,
      OPT_fno_pic,
      OPT_fno_PIE,
      OPT_fno_pie,
      OPT_ffast_math,
      OPT_fno_fast_math,
      OPT_ffinite_math_only,
      OPT_fno_finite_math_only,
      OPT_fmath_errno,
      OPT_fno_math_errno,
      OPT_fgnuc_version_EQ,
      OPT_fexperimental_library,
      OPT_fno_experimental_library,
      OPT_fdefine_target_os_macros,
      OPT_fno_define_target_os_macros,
      OPT_fstack_protector,
      OPT_fstack_protector_strong,
      OPT_fstack_protector_all,
      OPT_fno_stack_protector,
      OPT_fms_compatibility_version,
      OPT_fmsc_version}},
    {"they define macros and change __has_feature", // further down by value
     {OPT_fsanitize_EQ, OPT_fno_sanitize_EQ}},
    {"without them, exceptions and RTTI are errors",
     {OPT_fexceptions, OPT_fno_exceptions, OPT_fcxx_exceptions, OPT_fno_cxx_exceptions, OPT_frtti,
      OPT_fno_rtti, OPT_fobjc_exceptions, OPT_fno_objc_exceptions}},
    {"they enable or disable keywords, operators, tokens and language extensions",
     {OPT_fchar8__t,
      OPT_fno_char8__t,
      OPT_fcoroutines,
      OPT_fno_coroutines,
      OPT_fms_extensions,
      OPT_fno_ms_extensions,
      OPT_fms_compatibility,
      OPT_fno_ms_compatibility,
      OPT_fdeclspec,
      OPT_fno_declspec,
      OPT_fblocks,
      OPT_fno_blocks,
      OPT_fdollars_in_identifiers,
      OPT_fno_dollars_in_identifiers,
      OPT_foperator_names,
      OPT_fno_operator_names,
      OPT_fdigraphs,
      OPT_fno_digraphs,
      OPT_fgnu_keywords,
      OPT_fno_gnu_keywords,
      OPT_fgnu_inline_asm,
      OPT_fno_gnu_inline_asm,
      OPT_fasm,
      OPT_fno_asm,
      OPT_fpascal_strings,
      OPT_fno_pascal_strings,
      OPT_faltivec,
      OPT_fno_altivec,
      OPT_fzvector,
      OPT_fno_zvector,
      OPT_fborland_extensions,
      OPT_fno_borland_extensions,
      OPT_fraw_string_literals,
      OPT_fno_raw_string_literals,
      OPT_fdouble_square_bracket_attributes,
      OPT_fno_double_square_bracket_attributes,
      OPT_fenable_matrix,
      OPT_ffixed_point,
      OPT_fno_fixed_point,
      OPT_fobjc_arc,
      OPT_fno_objc_arc,
      OPT_fobjc_weak,
      OPT_fno_objc_weak,
      OPT_fobjc_runtime_EQ,
      OPT_finput_charset_EQ,
      OPT_fexec_charset_EQ}},
    {"they change types and layouts, and so which declarations match a schema",
     {OPT_fshort_wchar,
      OPT_fno_short_wchar,
      OPT_fsigned_char,
      OPT_fno_signed_char,
      OPT_funsigned_char,
      OPT_fno_unsigned_char,
      OPT_fshort_enums,
      OPT_fno_short_enums,
      OPT_fpack_struct,
      OPT_fpack_struct_EQ,
      OPT_fno_pack_struct,
      OPT_fmax_type_align_EQ,
      OPT_fsized_deallocation,
      OPT_fno_sized_deallocation,
      OPT_faligned_allocation,
      OPT_fno_aligned_allocation,
      OPT_faligned_new_EQ,
      OPT_fdelayed_template_parsing,
      OPT_fno_delayed_template_parsing,
      OPT_fbuiltin,
      OPT_fno_builtin,
      OPT_fno_builtin_,
      OPT_ffreestanding,
      OPT_fhosted,
      OPT_fgnu89_inline,
      OPT_fno_gnu89_inline,
      OPT_fstrict_flex_arrays_EQ,
      OPT_fclang_abi_compat_EQ,
      OPT_faccess_control,
      OPT_fno_access_control,
      OPT_flax_vector_conversions_EQ,
      OPT_flax_vector_conversions,
      OPT_fno_lax_vector_conversions,
      OPT_fcomplete_member_pointers,
      OPT_fthreadsafe_statics,
      OPT_fno_threadsafe_statics}},
    {"they change what is a constant expression",
     {OPT_fwrapv, OPT_fno_wrapv, OPT_ftrapv, OPT_fstrict_overflow, OPT_fno_strict_overflow,
      OPT_fstrict_enums, OPT_fno_strict_enums, OPT_frounding_math, OPT_fno_rounding_math}},
    {"they suppress Clang diagnostics, some of which are errors that other compilers do not report",
     {OPT_w, OPT_ferror_limit_EQ}},
};

/// None of them names a file.
const AllowedFlags AllowedGroups[] = {
    {"they suppress Clang diagnostics, some of which are errors that other compilers do not report",
     {OPT_W_Group, OPT_W_value_Group, OPT_pedantic_Group}},
    {"they define __OPTIMIZE__, which system headers test", {OPT_O_Group}},
};

/// Macros of the processor, which its intrinsics need.
constexpr unsigned ProcessorGroup = OPT_m_Group;

/// Templates and constants of real projects need more than Clang's defaults; none needs as much as
/// fills memory.
struct LimitFlag {
  unsigned Id, Largest;
};
constexpr LimitFlag Limits[] = {{OPT_ftemplate_depth_EQ, 8192},
                                {OPT_fbracket_depth_EQ, 4096},
                                {OPT_fconstexpr_depth_EQ, 4096},
                                {OPT_fconstexpr_steps_EQ, 1u << 27}};

const std::initializer_list<unsigned> Wrappers = {OPT_Xclang, OPT_Xpreprocessor, OPT_Wp_COMMA,
                                                  OPT_Xarch_host};

/// What a build makes of a source, how it says so, and what it links.
const std::initializer_list<unsigned> IrrelevantFlags = {
    OPT_o, OPT_pipe, OPT_v, OPT_static, OPT_shared, OPT_nostdlib, OPT_MJ, OPT_no_default_config};
const std::initializer_list<unsigned> IrrelevantGroups = {OPT_Action_Group, OPT_M_Group,
                                                          OPT_Link_Group, OPT_g_Group, OPT_R_Group};

bool matchesAny(const llvm::opt::Option &Option, const std::initializer_list<unsigned> &Ids) {
  return llvm::any_of(Ids, [&](unsigned Id) { return Option.matches(Id); });
}

bool isIn(llvm::ArrayRef<AllowedFlags> Tables, const llvm::opt::Option &Option) {
  return llvm::any_of(Tables, [&](const AllowedFlags &Of) { return matchesAny(Option, Of.Ids); });
}

/// Sanitizers whose only trace in a reading is a macro; others want files of their own.
bool isPlainSanitizer(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"address", "thread", "memory", "leak", "undefined"}, true)
      .Default(false);
}

/// Whether the values of an allowed flag are harmless, too.
bool hasGoodValue(const llvm::opt::Arg &Flag) {
  const llvm::opt::Option &Option = Flag.getOption();
  if (Option.matches(OPT_fsanitize_EQ) || Option.matches(OPT_fno_sanitize_EQ))
    return llvm::all_of(Flag.getValues(), isPlainSanitizer);
  if (Option.matches(OPT_driver_mode)) {
    StringRef Mode = Flag.getValue();
    return Mode == "g++" || Mode == "gcc";
  }
  return true;
}

bool choosesTarget(const llvm::opt::Option &Option) {
  return Option.matches(OPT_target) || Option.matches(OPT_target_legacy_spelling);
}

/// The tool chains of GPUs ask programs which one there is.
bool isTargetOfHosts(StringRef Name) {
  llvm::Triple Target{llvm::Triple::normalize(Name)};
  return Target.getArch() != llvm::Triple::UnknownArch && !Target.isGPU() &&
         Target.getArch() != llvm::Triple::dxil;
}

const LimitFlag *limitOf(const llvm::opt::Option &Option) {
  const LimitFlag *Found =
      llvm::find_if(Limits, [&](const LimitFlag &L) { return Option.matches(L.Id); });
  return Found == std::end(Limits) ? nullptr : Found;
}

} // namespace

FlagUse opsig::useOf(const llvm::opt::Arg &Flag) {
  const llvm::opt::Option &Option = Flag.getOption();
  if (limitOf(Option))
    return FlagUse::Limit;
  if (Option.matches(ProcessorGroup))
    return FlagUse::Processor;
  if (choosesTarget(Option))
    return isTargetOfHosts(Flag.getValue()) ? FlagUse::Keep : FlagUse::OtherTarget;
  if (matchesAny(Option, Wrappers))
    return FlagUse::Wrapper;
  if (Option.matches(OPT_include_pch))
    return FlagUse::Pch;
  if (Option.matches(OPT_fsycl) || Option.matches(OPT_fno_sycl))
    return FlagUse::Macro;
  if (isIn(Allowed, Option) || isIn(AllowedGroups, Option))
    return hasGoodValue(Flag) ? FlagUse::Keep : FlagUse::Drop;
  return matchesAny(Option, IrrelevantFlags) || matchesAny(Option, IrrelevantGroups)
             ? FlagUse::Irrelevant
             : FlagUse::Drop;
}

StringRef opsig::macroOf(const llvm::opt::Arg &Flag) {
  // The driver's first job is the device's, which knows other processors than the host.
  return Flag.getOption().matches(OPT_fsycl) ? "-DSYCL_LANGUAGE_VERSION=202012L"
                                             : "-USYCL_LANGUAGE_VERSION";
}

unsigned opsig::largestLimit(const llvm::opt::Arg &Flag) {
  const LimitFlag *Limit = limitOf(Flag.getOption());
  return Limit ? Limit->Largest : 0;
}
