#pragma once
#include <torch/headeronly/core/Dispatch.h>
#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(X) X
#define AT_FLOATING_TYPES                                                                          \
  torch::headeronly::ScalarType::Double, torch::headeronly::ScalarType::Float
#define AT_COUNT_IMPL(_1, _2, _3, _4, N, ...) N
#define AT_COUNT(...) AT_EXPAND(AT_COUNT_IMPL(__VA_ARGS__, 4, 3, 2, 1))
#define AT_JOIN_IMPL(a, b) a##b
#define AT_JOIN(a, b) AT_JOIN_IMPL(a, b)
#define THO_AP1(N, _1) THO_DISPATCH_CASE(_1, N)
#define THO_AP2(N, _1, _2) THO_DISPATCH_CASE(_1, N) THO_DISPATCH_CASE(_2, N)
#define THO_AP3(N, _1, _2, _3) THO_AP2(AT_WRAP(N), _1, _2) THO_DISPATCH_CASE(_3, N)
#define THO_AP4(N, _1, _2, _3, _4) THO_AP3(AT_WRAP(N), _1, _2, _3) THO_DISPATCH_CASE(_4, N)
#define THO_AP(N, ...) AT_EXPAND(AT_JOIN(THO_AP, AT_COUNT(__VA_ARGS__))(AT_WRAP(N), __VA_ARGS__))
#define THO_DISPATCH_V2(TYPE, NAME, BODY, ...)                                                     \
  THO_DISPATCH_SWITCH(TYPE, NAME, THO_AP(AT_WRAP(BODY), __VA_ARGS__))
