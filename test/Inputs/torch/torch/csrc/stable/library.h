// What STABLE_TORCH_LIBRARY code is made of. -DTORCH_STABLE_UNNAMED has the classes where they were at first.
#pragma once
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using StableIValue = uint64_t;

namespace torch {
namespace headeronly {
enum class ScalarType : int8_t { Byte, Float, BFloat16 };
enum class Layout : int8_t { Strided };
enum class MemoryFormat : int8_t { Contiguous };
template <typename T> class HeaderOnlyArrayRef {};
} // namespace headeronly
namespace stable {
class Tensor {
public:
  void *data_ptr() const;
  template <typename T> T *mutable_data_ptr() const;
  template <typename T> const T *const_data_ptr() const;
  int64_t numel() const;
};
class Device {};
class Generator {};
} // namespace stable
} // namespace torch

#ifdef TORCH_STABLE_UNNAMED
#define STABLE_OPEN namespace {
#define STABLE_CLOSE }
#define STABLE_SCOPE
#else
#define STABLE_OPEN namespace torch::stable::detail {
#define STABLE_CLOSE }
#define STABLE_SCOPE torch::stable::detail::
#endif

STABLE_OPEN

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

template <typename F> struct unqualified { using type = F; };
template <typename F> struct unqualified<F *> { using type = F; };

template <typename F, F *f> struct boxer {
  static void boxed_fn(StableIValue *stack, uint64_t inputs, uint64_t outputs);
};

template <typename T> StableIValue from(T value);
template <typename T> T to(StableIValue value);

STABLE_CLOSE

#define TORCH_BOX(f) STABLE_SCOPE boxer<STABLE_SCOPE unqualified<decltype(f)>::type, (f)>::boxed_fn

#define STABLE_NAME2(name, id) name##id
#define STABLE_NAME1(name, id) STABLE_NAME2(name, id)
#define STABLE_BLOCK(kind, ns, key, m, name)                                                       \
  static void name(STABLE_SCOPE StableLibrary &);                                                  \
  static const STABLE_SCOPE StableTorchLibraryInit STABLE_NAME1(name, object)(                     \
      STABLE_SCOPE StableLibrary::Kind::kind, &name, ns, key, __FILE__, __LINE__);                 \
  void name(STABLE_SCOPE StableLibrary &m)

#define STABLE_TORCH_LIBRARY(ns, m) STABLE_BLOCK(DEF, #ns, nullptr, m, stable_init_##ns)
#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m)                                                       \
  STABLE_BLOCK(FRAGMENT, #ns, nullptr, m, STABLE_NAME1(stable_fragment_##ns, __COUNTER__))
#define STABLE_TORCH_LIBRARY_IMPL(ns, key, m)                                                      \
  STABLE_BLOCK(IMPL, #ns, #key, m, STABLE_NAME1(stable_impl_##ns##key, __COUNTER__))
