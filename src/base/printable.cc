#include "base/printable.h"

#include <cstdint>
#include <cstdio>

namespace cordon {
namespace {

struct Decoded {
  std::uint32_t code_point = 0;
  std::size_t length = 0;  // 0: not UTF-8
};

// Strict: no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded Decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = 0;
  std::uint32_t code_point = 0;
  std::uint32_t smallest = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, code_point = lead & 0x1Fu, smallest = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, code_point = lead & 0x0Fu, smallest = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, code_point = lead & 0x07u, smallest = 0x10000;
  }
  if (length == 0 || text.size() < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < smallest || surrogate || code_point > 0x10FFFF) return {};
  return {code_point, length};
}

bool IsControl(std::uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Format characters that hide text, reorder it, or carry text of their own.
bool IsDeceptive(std::uint32_t c) {
  return c == 0x00AD || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

void AppendByte(std::string& out, char c) {
  char escaped[8];
  std::snprintf(escaped, sizeof escaped, "\\x%02X", static_cast<unsigned char>(c));
  out += escaped;
}

enum class Quotes { kKeep, kEscape };

std::string Escape(std::string_view text, Quotes quotes) {
  const std::string_view shown = text.substr(0, kMaxEchoedBytes);
  std::string out;
  out.reserve(shown.size() + 2);
  for (std::size_t i = 0; i < shown.size();) {
    const Decoded decoded = Decode(text.substr(i));
    if (decoded.length == 0 || IsControl(decoded.code_point)) {
      const std::size_t length = decoded.length == 0 ? 1 : decoded.length;
      for (std::size_t k = 0; k < length; ++k) AppendByte(out, text[i + k]);
      i += length;
      continue;
    }
    if (IsDeceptive(decoded.code_point)) {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\u{%X}", static_cast<unsigned>(decoded.code_point));
      out += escaped;
    } else if (quotes == Quotes::kEscape && decoded.code_point == '"') {
      out += "\\\"";
    } else {
      out += text.substr(i, decoded.length);
    }
    i += decoded.length;
  }
  if (shown.size() < text.size()) out += "... (" + std::to_string(text.size()) + " bytes)";
  return out;
}

}  // namespace

std::string Printable(std::string_view text) { return Escape(text, Quotes::kKeep); }

std::string Quoted(std::string_view text) { return '"' + Escape(text, Quotes::kEscape) + '"'; }

}  // namespace cordon
