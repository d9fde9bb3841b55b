#pragma once
#include <torch/csrc/stable/tensor.h>
#include <type_traits>
namespace torch::stable::detail {
class StableLibrary {
public:
  enum class Kind { DEF, IMPL, FRAGMENT };
  StableLibrary &def(const char *schema);
  StableLibrary &impl(const char *name, void (*fn)(StableIValue *, uint64_t, uint64_t));
};
struct StableTorchLibraryInit {
  StableTorchLibraryInit(StableLibrary::Kind kind, void (*fn)(StableLibrary &), const char *ns,
                         const char *key, const char *file, unsigned line);
};
template <typename F, F *f> struct boxer {
  static void boxed_fn(StableIValue *stack, uint64_t inputs, uint64_t outputs);
};
} // namespace torch::stable::detail
#define TORCH_BOX(func)                                                                            \
  torch::stable::detail::boxer<std::remove_pointer_t<std::remove_reference_t<decltype(func)>>,     \
                               (func)>::boxed_fn
#define STABLE_BLOCK(kind, ns, key, m, name)                                                       \
  static void name(torch::stable::detail::StableLibrary &);                                        \
  static const torch::stable::detail::StableTorchLibraryInit C10_CONCATENATE(name, object)(        \
      torch::stable::detail::StableLibrary::Kind::kind, &name, ns, key, __FILE__, __LINE__);       \
  void name(torch::stable::detail::StableLibrary &m)
#define STABLE_TORCH_LIBRARY(ns, m) STABLE_BLOCK(DEF, #ns, nullptr, m, stable_init_##ns)
#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m)                                                       \
  STABLE_BLOCK(FRAGMENT, #ns, nullptr, m, C10_CONCATENATE(stable_fragment_##ns, C10_UID))
#define STABLE_TORCH_LIBRARY_IMPL(ns, k, m)                                                        \
  STABLE_BLOCK(IMPL, #ns, #k, m, C10_CONCATENATE(stable_impl_##ns##_##k##_, C10_UID))
