// One line of the log, read back. A handler and not a document: of a field that is
// there twice, a document keeps one and says nothing.
#include <array>
#include <bitset>
#include <boost/json/basic_parser_impl.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "audit/reader.h"
#include "audit/timestamp.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

namespace json = boost::json;

enum class Kind { kText, kTime, kHash, kPhase, kProtection, kPositive, kSigned, kObject };
enum class Presence { kAlways, kMaybe };

struct Field {
  std::string_view name;
  Kind kind;
  Presence presence = Presence::kMaybe;
  std::string Entry::*text = nullptr;
  std::uint64_t Entry::*number = nullptr;
};

constexpr std::array kFields{
    Field{"seq", Kind::kPositive, Presence::kAlways, nullptr, &Entry::seq},
    Field{"time", Kind::kTime, Presence::kAlways, &Entry::time},
    Field{"event", Kind::kText, Presence::kAlways, &Entry::event},
    Field{"phase", Kind::kPhase, Presence::kMaybe, &Entry::phase},
    Field{"begun", Kind::kPositive, Presence::kMaybe, nullptr, &Entry::begun},
    Field{"session", Kind::kText, Presence::kMaybe, &Entry::session},
    Field{"conversation", Kind::kText, Presence::kMaybe, &Entry::conversation},
    Field{"sandbox", Kind::kText, Presence::kMaybe, &Entry::sandbox},
    Field{"actor", Kind::kText, Presence::kMaybe, &Entry::actor},
    Field{"tool", Kind::kText, Presence::kMaybe, &Entry::tool},
    Field{"operation", Kind::kText, Presence::kMaybe, &Entry::operation},
    Field{"path", Kind::kObject},
    Field{"target", Kind::kText, Presence::kMaybe, &Entry::target},
    Field{"decision", Kind::kText, Presence::kMaybe, &Entry::decision},
    Field{"rule", Kind::kText, Presence::kMaybe, &Entry::rule},
    Field{"tier", Kind::kText, Presence::kMaybe, &Entry::tier},
    Field{"error", Kind::kText, Presence::kMaybe, &Entry::error},
    Field{"violation", Kind::kText, Presence::kMaybe, &Entry::violation},
    Field{"question", Kind::kText, Presence::kMaybe, &Entry::question},
    Field{"choice", Kind::kText, Presence::kMaybe, &Entry::choice},
    Field{"channel", Kind::kText, Presence::kMaybe, &Entry::channel},
    Field{"lost", Kind::kPositive, Presence::kMaybe, nullptr, &Entry::lost},
    Field{"protection", Kind::kProtection},
    Field{"duration_ns", Kind::kSigned, Presence::kAlways},
    Field{"prev", Kind::kHash, Presence::kAlways, &Entry::prev},
    Field{"hash", Kind::kHash, Presence::kAlways, &Entry::hash},
    // Of the object "path".
    Field{"asked", Kind::kText, Presence::kMaybe, &Entry::asked},
    Field{"resolved", Kind::kText, Presence::kMaybe, &Entry::resolved},
};
constexpr std::size_t kFieldsOfPath = 2;
constexpr std::size_t kTopFields = kFields.size() - kFieldsOfPath;

// What AppendEncoded leaves as it is, for sure.
bool IsPlain(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '%' || c == '\\') return false;
  }
  return true;
}

// Only what AppendEncoded writes: one name has one spelling, and all of it can be shown.
Result<std::string> DecodeStrictly(std::string_view text) {
  if (IsPlain(text)) return std::string(text);
  TRY_ASSIGN(std::string bytes, DecodeName(text));
  std::string again;
  AppendEncoded(again, bytes);
  if (again == text) return bytes;
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.detail = "text is not encoded as the log encodes it";
  return error;
}

// The one form the log writes: UTC, nine digits.
bool IsLogTime(std::string_view text) {
  return text.size() == std::string_view("2026-11-15T13:42:13.123456789Z").size() &&
         text[10] == 'T' && text[19] == '.' && text.back() == 'Z';
}

class Handler {
 public:
  static constexpr std::size_t max_array_size = 0;
  static constexpr std::size_t max_object_size = kFields.size();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = 64;

  Entry& entry() { return entry_; }
  const std::string& complaint() const { return complaint_; }

  // After the last event: what should be there and is not.
  bool Complete() {
    for (std::size_t i = 0; i < kTopFields; ++i) {
      if (kFields[i].presence == Presence::kAlways && !seen_.test(i)) {
        complaint_ = "the field " + Quoted(kFields[i].name) + " is missing";
        return false;
      }
    }
    return true;
  }

  // NOLINTBEGIN(readability-identifier-naming): the names the parser calls
  bool on_document_begin(json::error_code& /*ec*/) { return true; }
  bool on_document_end(json::error_code& ec) {
    return depth_ == 0 && seen_.any() ? true : Fail(ec, "not an object");
  }
  bool on_array_begin(json::error_code& ec) { return WrongType(ec); }
  bool on_array_end(std::size_t /*n*/, json::error_code& ec) { return WrongType(ec); }
  bool on_object_begin(json::error_code& ec) {
    if (depth_ == 1 && (field_ == nullptr || field_->kind != Kind::kObject)) return WrongType(ec);
    ++depth_;
    return depth_ <= 2 ? true : WrongType(ec);
  }
  bool on_object_end(std::size_t n, json::error_code& ec) {
    --depth_;
    return n != 0 ? true : Fail(ec, "an object is empty");
  }
  bool on_key_part(std::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    text_ += s;
    return true;
  }
  bool on_key(std::string_view s, std::size_t /*n*/, json::error_code& ec) {
    text_ += s;
    const std::string name = std::exchange(text_, {});
    const std::size_t first = depth_ == 1 ? 0 : kTopFields;
    const std::size_t last = depth_ == 1 ? kTopFields : kFields.size();
    for (std::size_t i = first; i < last; ++i) {
      if (kFields[i].name != name) continue;
      field_ = &kFields[i];
      if (seen_.test(i)) return Fail(ec, "the field " + Quoted(name) + " is there twice");
      seen_.set(i);
      return true;
    }
    return Fail(ec, "the field " + Quoted(name) + " is unknown");
  }
  bool on_string_part(std::string_view s, std::size_t /*n*/, json::error_code& /*ec*/) {
    text_ += s;
    return true;
  }
  bool on_string(std::string_view s, std::size_t /*n*/, json::error_code& ec) {
    text_ += s;
    return Text(std::exchange(text_, {}), ec);
  }
  bool on_number_part(std::string_view /*s*/, json::error_code& /*ec*/) { return true; }
  bool on_int64(std::int64_t value, std::string_view /*s*/, json::error_code& ec) {
    if (field_ == nullptr) return WrongType(ec);
    if (field_->kind == Kind::kSigned) {
      entry_.duration_ns = value;
      return true;
    }
    return value > 0 ? on_uint64(static_cast<std::uint64_t>(value), {}, ec) : WrongType(ec);
  }
  bool on_uint64(std::uint64_t value, std::string_view /*s*/, json::error_code& ec) {
    if (field_ == nullptr || field_->kind != Kind::kPositive) return WrongType(ec);
    entry_.*(field_->number) = value;
    return true;
  }
  bool on_double(double /*d*/, std::string_view /*s*/, json::error_code& ec) {
    return WrongType(ec);
  }
  bool on_bool(bool /*b*/, json::error_code& ec) { return WrongType(ec); }
  bool on_null(json::error_code& ec) { return WrongType(ec); }
  bool on_comment_part(std::string_view /*s*/, json::error_code& ec) { return WrongType(ec); }
  bool on_comment(std::string_view /*s*/, json::error_code& ec) { return WrongType(ec); }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool Fail(json::error_code& ec, std::string complaint) {
    complaint_ = std::move(complaint);
    ec = json::error::syntax;
    return false;
  }
  bool WrongType(json::error_code& ec) {
    return Fail(ec, field_ == nullptr
                        ? std::string("not an object")
                        : "the field " + Quoted(field_->name) + " is of the wrong type");
  }

  bool Text(const std::string& text, json::error_code& ec) {
    if (field_ == nullptr) return WrongType(ec);
    if (!FitsKind(text)) return WrongType(ec);
    if (field_->kind == Kind::kProtection) {
      entry_.unprotected = true;
      return true;
    }
    Result<std::string> decoded = DecodeStrictly(text);
    if (!decoded) return Fail(ec, "the field " + Quoted(field_->name) + " is badly encoded");
    entry_.*(field_->text) = std::move(*decoded);
    return true;
  }

  bool FitsKind(const std::string& text) {
    switch (field_->kind) {
      case Kind::kText: return !text.empty();  // what is empty is left out
      case Kind::kPhase: return text == "begin" || text == "end";
      case Kind::kProtection: return text == "off";
      case Kind::kHash: return FromHex(text).has_value();
      case Kind::kTime: {
        const auto time = IsLogTime(text) ? ParseTimestamp(text) : std::nullopt;
        entry_.time_ns = time.value_or(0);
        return time.has_value();
      }
      case Kind::kPositive:
      case Kind::kSigned:
      case Kind::kObject: return false;
    }
    return false;
  }

  Entry entry_;
  std::string complaint_;
  std::string text_;              // pieces of the key or string being read
  const Field* field_ = nullptr;  // the last key
  std::bitset<kFields.size()> seen_;
  std::size_t depth_ = 0;
};

Error NotARecord(std::string complaint) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "audit";
  error.rule = "audit";
  error.detail = "this line is not a record: " + std::move(complaint);
  return error;
}

}  // namespace

Result<Entry> ParseEntry(std::string_view line) {
  // The log has no use for either: its own escape is "%", its fields stand side by side.
  for (const char c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\\') {
      return NotARecord("it holds a control character or a backslash");
    }
  }
  json::parse_options options;
  options.max_depth = 2;
  json::basic_parser<Handler> parser(options);
  json::error_code error;
  const std::size_t used = parser.write_some(false, line.data(), line.size(), error);
  Handler& handler = parser.handler();
  if (error || !parser.done()) {
    return NotARecord(handler.complaint().empty() ? "it is not JSON" : handler.complaint());
  }
  if (used != line.size()) return NotARecord("something follows it");
  if (!handler.Complete()) return NotARecord(handler.complaint());
  return std::move(handler.entry());
}

}  // namespace cordon::audit
