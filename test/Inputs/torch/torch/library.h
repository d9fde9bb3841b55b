// What TORCH_LIBRARY code is made of.
#pragma once
#include <ATen/ATen.h>

namespace at {
enum class Tag { core, inplace, out, pointwise };
}

namespace c10 {
enum class DispatchKey : uint8_t {
  Undefined,
  CPU,
  CUDA,
  Meta,
  PrivateUse1,
  Autograd,
  AutogradCPU,
  CompositeImplicitAutograd,
  CatchAll = Undefined,
};
class DispatchKeySet {};
class IValue {};
template <typename K, typename V> class Dict {};
template <typename F, F *f> struct CompileTimeFunctionPointer {};
template <typename T> struct OptionalKey {};
OptionalKey<DispatchKey> make_key(DispatchKey key);
} // namespace c10

#define TORCH_FN(f) c10::CompileTimeFunctionPointer<decltype(f), f>()

namespace torch {

class Library;
class OperatorHandle;
using BoxedFunction = void(const OperatorHandle &, int *stack);

class CppFunction {
public:
  template <typename F> explicit CppFunction(F &&f);
  static CppFunction makeFallthrough();
  template <BoxedFunction *f> static CppFunction makeFromBoxedFunction();
  template <typename F> static CppFunction makeFromUnboxedFunction(F *f);
  CppFunction &&debug(const char *text) &&;
};
template <typename F> CppFunction dispatch(c10::DispatchKey key, F &&f);
template <typename F> CppFunction dispatch(c10::DeviceType type, F &&f);

struct FunctionSchema {};
FunctionSchema schema(const char *text);

namespace detail {
template <bool enabled> class SelectiveStr {
public:
  constexpr explicit SelectiveStr(const char *name) : name(name) {}
  constexpr operator const char *() { return name; }

private:
  const char *name;
};
} // namespace detail

template <typename T> class class_ {
public:
  template <typename F> class_ &def(const char *name, F f);
};

class Library {
public:
  enum Kind { DEF, IMPL, FRAGMENT };
  template <typename Schema>
  Library &def(Schema &&schema, const std::vector<at::Tag> &tags = std::vector<at::Tag>()) & { return *this; }
  template <typename Schema, typename F> Library &def(Schema &&schema, F &&f) & { return *this; }
  template <typename Name, typename F> Library &impl(Name name, F &&f) & { return *this; }
  template <typename Name, typename Key, typename F> Library &impl(Name name, Key &&key, F &&f) & { return *this; }
  template <typename F> Library &fallback(F &&f) & { return *this; }
  template <typename T> torch::class_<T> class_(const char *name);
};

namespace detail {
class TorchLibraryInit {
public:
  using Fill = void(Library &);
  TorchLibraryInit(Library::Kind kind, Fill *fill, const char *ns, const char *file, int line);
  TorchLibraryInit(Library::Kind kind, Fill *fill, const char *ns,
                   c10::OptionalKey<c10::DispatchKey> key, const char *file, int line);
};
} // namespace detail
} // namespace torch

#define TORCH_SELECTIVE_NAME(n) torch::detail::SelectiveStr<true>(n)
#define TORCH_SELECTIVE_SCHEMA(n) torch::detail::SelectiveStr<true>(n)

#define TORCH_JOIN_AGAIN(a, b) a##b
#define TORCH_JOIN(a, b) TORCH_JOIN_AGAIN(a, b)
#define TORCH_BLOCK(kind, ns, id, m, ...)                                                          \
  static void TORCH_JOIN(fill_##ns, id)(torch::Library &);                                         \
  static const torch::detail::TorchLibraryInit TORCH_JOIN(block_##ns, id)(                         \
      torch::Library::kind, &TORCH_JOIN(fill_##ns, id), #ns, __VA_ARGS__ __FILE__, __LINE__);      \
  void TORCH_JOIN(fill_##ns, id)(torch::Library & m)
#define TORCH_LIBRARY(ns, m) TORCH_BLOCK(DEF, ns, __COUNTER__, m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) TORCH_BLOCK(FRAGMENT, ns, __COUNTER__, m)
#define TORCH_LIBRARY_IMPL(ns, key, m) TORCH_IMPL_BLOCK(ns, key, __COUNTER__, m)
#define TORCH_IMPL_BLOCK(ns, key, id, m)                                                           \
  TORCH_BLOCK(IMPL, ns, id, m, c10::make_key(c10::DispatchKey::key), )
