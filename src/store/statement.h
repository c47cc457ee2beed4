// A prepared statement in use. What SQLite says on the way is kept until somebody asks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

struct sqlite3_stmt;

namespace cordon::store {

enum class Row { kThere, kNone };

// Guarantees: reset and without its values when destroyed, so that it can be used again.
// Thread safety: none; it belongs to whoever has the connection.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* prepared) : prepared_(prepared) {}
  // One that could not be prepared: every step gives this error.
  explicit Statement(Error error) : failed_(std::move(error)) {}
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // The next parameter. `text` must live until the statement is destroyed.
  Statement& Bind(std::string_view text);
  Statement& Bind(std::int64_t number);
  Statement& Bind(const std::optional<std::int64_t>& number);
  Statement& BindOrNull(const std::optional<std::string_view>& text);

  Result<Row> Step();
  // For one that gives no rows: runs it, and says how many rows it changed.
  Result<std::int64_t> Run();

  // The next column of the row.
  std::string Text();
  std::optional<std::string> OptionalText();
  std::int64_t Number();
  std::optional<std::int64_t> OptionalNumber();

 private:
  void Keep(int code);

  sqlite3_stmt* prepared_ = nullptr;
  std::optional<Error> failed_;
  int parameter_ = 0, column_ = 0;
};

}  // namespace cordon::store
