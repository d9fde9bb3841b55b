//===- complex.h - complex numbers of host and device ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_CUDA_THRUST_COMPLEX_H
#define OPSIG_STANDIN_CUDA_THRUST_COMPLEX_H

#include "../cuda_runtime.h"
#include <cfloat>
#include <complex>

namespace thrust {
template <typename T> struct complex {
  typedef T value_type;
  __host__ __device__ complex();
  __host__ __device__ complex(const T &Re);
  __host__ __device__ complex(const T &Re, const T &Im);
  template <typename U> __host__ __device__ complex(const complex<U> &Z);
  __host__ complex(const std::complex<T> &Z);
  __host__ __device__ T real() const;
  __host__ __device__ T imag() const;
  __host__ __device__ void real(T Re);
  __host__ __device__ void imag(T Im);
  __host__ operator std::complex<T>() const;
  template <typename U> __host__ __device__ complex &operator=(const complex<U> &Z);
  __host__ __device__ complex &operator=(const T &Re);
  template <typename U> __host__ __device__ complex &operator+=(const complex<U> &Z);
  template <typename U> __host__ __device__ complex &operator-=(const complex<U> &Z);
  template <typename U> __host__ __device__ complex &operator*=(const complex<U> &Z);
  template <typename U> __host__ __device__ complex &operator/=(const complex<U> &Z);
  __host__ __device__ complex &operator+=(const T &Re);
  __host__ __device__ complex &operator-=(const T &Re);
  __host__ __device__ complex &operator*=(const T &Re);
  __host__ __device__ complex &operator/=(const T &Re);
};
#define OPSIG_OPERATOR(Op)                                                                         \
  template <typename T> __host__ __device__ complex<T> operator Op(const complex<T> &, const T &); \
  template <typename T> __host__ __device__ complex<T> operator Op(const T &, const complex<T> &);
OPSIG_OPERATOR(+)
OPSIG_OPERATOR(-)
OPSIG_OPERATOR(*)
OPSIG_OPERATOR(/)
#undef OPSIG_OPERATOR
template <typename T> __host__ __device__ complex<T> operator-(const complex<T> &);
template <typename T> __host__ __device__ bool operator==(const complex<T> &, const complex<T> &);
template <typename T> __host__ __device__ bool operator!=(const complex<T> &, const complex<T> &);
template <typename T> __host__ __device__ T norm(const complex<T> &Z);
template <typename T>
__host__ __device__ complex<T> operator+(const complex<T> &, const complex<T> &);
template <typename T>
__host__ __device__ complex<T> operator-(const complex<T> &, const complex<T> &);
template <typename T>
__host__ __device__ complex<T> operator*(const complex<T> &, const complex<T> &);
template <typename T>
__host__ __device__ complex<T> operator/(const complex<T> &, const complex<T> &);
template <typename T> __host__ __device__ T abs(const complex<T> &Z);
template <typename T> __host__ __device__ T arg(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> conj(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> polar(const T &Abs, const T &Arg = T());
template <typename T> __host__ __device__ complex<T> exp(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> log(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> sqrt(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> log10(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> sin(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> cos(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> tan(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> asin(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> acos(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> atan(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> sinh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> cosh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> tanh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> asinh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> acosh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> atanh(const complex<T> &Z);
template <typename T> __host__ __device__ complex<T> pow(const complex<T> &Z, const complex<T> &Y);
template <typename T> __host__ __device__ complex<T> pow(const complex<T> &Z, const T &Y);
template <typename T> __host__ __device__ complex<T> pow(const T &Z, const complex<T> &Y);
} // namespace thrust

#endif
