#include "sandbox/wire.h"

namespace cordon::sandbox::wire {
namespace {

constexpr std::size_t kNumberBytes = 8;

}  // namespace

void Writer::Number(std::uint64_t value) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    bytes_.push_back(static_cast<char>(value & 0xff));
    value >>= 8;
  }
}

void Writer::Text(std::string_view text) {
  Number(text.size());
  bytes_.append(text);
}

std::uint64_t Reader::Number() {
  if (failed_ || bytes_.size() < kNumberBytes) {
    Fail();
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t i = kNumberBytes; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes_[i]);
  }
  bytes_.remove_prefix(kNumberBytes);
  return value;
}

std::string Reader::Text() {
  const std::uint64_t size = Number();
  if (failed_ || size > bytes_.size()) {
    Fail();
    return {};
  }
  std::string text(bytes_.substr(0, size));
  bytes_.remove_prefix(size);
  return text;
}

Status Reader::Done() const {
  if (!failed_ && bytes_.empty()) return {};
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "decode";
  error.detail = "a message between Cordon and its launcher cannot be read";
  return error;
}

}  // namespace cordon::sandbox::wire
