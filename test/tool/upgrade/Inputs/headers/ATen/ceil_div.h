#pragma once
namespace at { inline long ceil_div(long a, long b) { return (a + b - 1) / b; } }
