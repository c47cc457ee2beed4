#include "store/statement.h"

#include <sqlite3.h>

#include <utility>

#include "base/try.h"
#include "store/connection.h"

namespace cordon::store {

Statement::Statement(Statement&& other) noexcept
    : prepared_(std::exchange(other.prepared_, nullptr)),
      failed_(std::move(other.failed_)),
      parameter_(other.parameter_),
      column_(other.column_) {}

Statement::~Statement() {
  if (prepared_ == nullptr) return;
  sqlite3_reset(prepared_);
  sqlite3_clear_bindings(prepared_);
}

void Statement::Keep(int code) {
  if (code != SQLITE_OK && !failed_) failed_ = ErrorOf(sqlite3_db_handle(prepared_));
}

Statement& Statement::Bind(std::string_view text) {
  if (prepared_ == nullptr) return *this;
  // An empty view may have no address, which SQLite would take for NULL.
  const char* bytes = text.empty() ? "" : text.data();
  // The static form: the caller keeps the text, and nothing is copied.
  Keep(sqlite3_bind_text64(prepared_, ++parameter_, bytes, text.size(), nullptr, SQLITE_UTF8));
  return *this;
}

Statement& Statement::Bind(std::int64_t number) {
  if (prepared_ != nullptr) Keep(sqlite3_bind_int64(prepared_, ++parameter_, number));
  return *this;
}

Statement& Statement::Bind(const std::optional<std::int64_t>& number) {
  if (number) return Bind(*number);
  if (prepared_ != nullptr) Keep(sqlite3_bind_null(prepared_, ++parameter_));
  return *this;
}

Statement& Statement::BindOrNull(const std::optional<std::string_view>& text) {
  if (text) return Bind(*text);
  return Bind(std::optional<std::int64_t>());
}

Result<Row> Statement::Step() {
  if (failed_) return *failed_;
  column_ = 0;
  switch (sqlite3_step(prepared_)) {
    case SQLITE_ROW: return Row::kThere;
    case SQLITE_DONE: return Row::kNone;
    default: return ErrorOf(sqlite3_db_handle(prepared_));
  }
}

Result<std::int64_t> Statement::Run() {
  TRY(Step());
  return sqlite3_changes64(sqlite3_db_handle(prepared_));
}

std::string Statement::Text() {
  const int column = column_++;
  const unsigned char* text = sqlite3_column_text(prepared_, column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(prepared_, column));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): SQLite's text is unsigned
  return {reinterpret_cast<const char*>(text), size};
}

std::optional<std::string> Statement::OptionalText() {
  if (sqlite3_column_type(prepared_, column_) != SQLITE_NULL) return Text();
  ++column_;
  return std::nullopt;
}

std::int64_t Statement::Number() { return sqlite3_column_int64(prepared_, column_++); }

std::optional<std::int64_t> Statement::OptionalNumber() {
  if (sqlite3_column_type(prepared_, column_) != SQLITE_NULL) return Number();
  ++column_;
  return std::nullopt;
}

}  // namespace cordon::store
