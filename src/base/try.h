// Early return for Result: the ISO C++ form, so that every compiler takes it.
#pragma once

#include <type_traits>
#include <utility>

#include "cordon/result.h"

#define CORDON_CONCAT_INNER(a, b) a##b
#define CORDON_CONCAT(a, b) CORDON_CONCAT_INNER(a, b)

// Returns the error of `expr` from the enclosing function, if it is one.
#define TRY(expr)                                                                              \
  do {                                                                                         \
    if (auto cordon_try = (expr); !cordon_try)                                                 \
      return std::remove_cvref_t<decltype(cordon_try.error())>(std::move(cordon_try.error())); \
  } while (false)

// Declares `decl` from the value of `expr`, or returns its error.
#define TRY_ASSIGN(decl, expr) TRY_ASSIGN_IMPL(CORDON_CONCAT(cordon_result_, __LINE__), decl, expr)
#define TRY_ASSIGN_IMPL(result, decl, expr)                                                     \
  auto result = (expr);                                                                         \
  if (!result) return std::remove_cvref_t<decltype(result.error())>(std::move(result.error())); \
  decl = std::move(*result)
