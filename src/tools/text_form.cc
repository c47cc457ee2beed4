#include "tools/text_form.h"

#include <array>
#include <cstdint>

#include "base/try.h"
#include "base/unicode.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kUtf16LeMark = "\xFF\xFE";
constexpr std::string_view kUtf16BeMark = "\xFE\xFF";

struct Signature {
  std::string_view bytes;
  std::string_view mime_type;
  std::size_t at = 0;
};
constexpr std::array<Signature, 17> kSignatures{{
    {"\x89PNG\r\n\x1a\n", "image/png"},
    {"\xFF\xD8\xFF", "image/jpeg"},
    {"GIF87a", "image/gif"},
    {"GIF89a", "image/gif"},
    {"WEBP", "image/webp", 8},
    {"BM", "image/bmp"},
    {"WAVE", "audio/wav", 8},
    {"ID3", "audio/mpeg"},
    {"OggS", "audio/ogg"},
    {"fLaC", "audio/flac"},
    {"ftyp", "video/mp4", 4},
    {"%PDF-", "application/pdf"},
    {"PK\x03\x04", "application/zip"},
    {"\x1f\x8b", "application/gzip"},
    {"\x7f"
     "ELF",
     "application/x-executable"},
    {"SQLite format 3", "application/vnd.sqlite3"},
    {"wOF2", "font/woff2"},
}};

Error NotText(std::string_view why) {
  Error error;
  error.code = ErrorCode::kNotText;
  error.op = "decode";
  error.detail = why;
  return error;
}

void AppendUtf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6);
    text += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12);
    text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | c >> 18);
    text += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
}

std::uint32_t UnitAt(std::string_view bytes, std::size_t at, Encoding encoding) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  return encoding == Encoding::kUtf16Le ? first | second << 8U : first << 8U | second;
}

Result<std::string> FromUtf16(std::string_view bytes, Encoding encoding) {
  if (bytes.size() % 2 != 0) return NotText("the file is UTF-16 with half a character at its end");
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    char32_t c = UnitAt(bytes, at, encoding);
    if (c >= 0xD800 && c < 0xE000) {
      const bool leads = c < 0xDC00 && at + 4 <= bytes.size();
      const std::uint32_t low = leads ? UnitAt(bytes, at + 2, encoding) : 0;
      if (low < 0xDC00 || low >= 0xE000) return NotText("the file is not valid UTF-16");
      c = 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00);
      at += 2;
    }
    AppendUtf8(text, c);
  }
  return text;
}

void AppendUnit(std::string& bytes, std::uint32_t unit, Encoding encoding) {
  const char low = static_cast<char>(unit & 0xFF);
  const char high = static_cast<char>(unit >> 8U);
  bytes += encoding == Encoding::kUtf16Le ? low : high;
  bytes += encoding == Encoding::kUtf16Le ? high : low;
}

Result<std::string> ToUtf16(std::string_view text, Encoding encoding) {
  std::string bytes;
  bytes.reserve(2 * text.size());
  while (!text.empty()) {
    const unicode::Decoded first = unicode::DecodeFirst(text);
    if (!first.valid) return NotText("the new text is not valid UTF-8");
    text.remove_prefix(first.length);
    char32_t c = first.code_point;
    if (c >= 0x10000) {
      c -= 0x10000;
      AppendUnit(bytes, 0xD800 + (c >> 10U), encoding);
      c = 0xDC00 + (c & 0x3FF);
    }
    AppendUnit(bytes, c, encoding);
  }
  return bytes;
}

std::string FromLatin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) AppendUtf8(text, static_cast<unsigned char>(c));
  return text;
}

Result<std::string> ToLatin1(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const unicode::Decoded first = unicode::DecodeFirst(text);
    if (!first.valid || first.code_point > 0xFF) {
      return NotText("the file is Latin-1, which has no place for a character of the new text");
    }
    bytes += static_cast<char>(first.code_point);
    text.remove_prefix(first.length);
  }
  return bytes;
}

// Text of an older encoding has no controls but those that lay it out.
bool HasOddControls(std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b') return true;
  }
  return false;
}

std::string_view MarkOf(Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf8: return kUtf8Mark;
    case Encoding::kUtf16Le: return kUtf16LeMark;
    case Encoding::kUtf16Be: return kUtf16BeMark;
    case Encoding::kLatin1: break;
  }
  return {};
}

}  // namespace

std::string_view EncodingName(Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf8: return "utf-8";
    case Encoding::kUtf16Le: return "utf-16le";
    case Encoding::kUtf16Be: return "utf-16be";
    case Encoding::kLatin1: break;
  }
  return "latin-1";
}

std::optional<Encoding> ParseEncoding(std::string_view name) {
  for (const Encoding encoding :
       {Encoding::kUtf8, Encoding::kUtf16Le, Encoding::kUtf16Be, Encoding::kLatin1}) {
    if (EncodingName(encoding) == name) return encoding;
  }
  return std::nullopt;
}

std::string_view LineEndsName(LineEnds ends) {
  switch (ends) {
    case LineEnds::kNone: return "none";
    case LineEnds::kLf: return "lf";
    case LineEnds::kCrLf: return "crlf";
    case LineEnds::kMixed: break;
  }
  return "mixed";
}

LineEnds LineEndsOf(std::string_view text) {
  // Most texts have none, and then one line end tells of all.
  if (text.find('\r') == std::string_view::npos) {
    return text.find('\n') == std::string_view::npos ? LineEnds::kNone : LineEnds::kLf;
  }
  bool plain = false, with_return = false;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    const bool crlf = at > 0 && text[at - 1] == '\r';
    (crlf ? with_return : plain) = true;
    if (plain && with_return) return LineEnds::kMixed;
  }
  if (with_return) return LineEnds::kCrLf;
  return plain ? LineEnds::kLf : LineEnds::kNone;
}

std::string_view MimeTypeOf(std::string_view beginning) {
  for (const Signature& one : kSignatures) {
    if (beginning.size() >= one.at && beginning.substr(one.at).starts_with(one.bytes)) {
      return one.mime_type;
    }
  }
  return "application/octet-stream";
}

bool LooksBinary(std::string_view beginning) {
  if (beginning.starts_with(kUtf16LeMark) || beginning.starts_with(kUtf16BeMark)) return false;
  return beginning.find('\0') != std::string_view::npos;
}

Result<DecodedText> DecodeText(std::string_view bytes, std::optional<Encoding> as) {
  DecodedText decoded;
  TextForm& form = decoded.form;
  if (as) {
    form.encoding = *as;
  } else if (bytes.starts_with(kUtf16LeMark)) {
    form.encoding = Encoding::kUtf16Le;
  } else if (bytes.starts_with(kUtf16BeMark)) {
    form.encoding = Encoding::kUtf16Be;
  }
  const std::string_view mark = MarkOf(form.encoding);
  form.has_mark = !mark.empty() && bytes.starts_with(mark);
  if (form.has_mark) bytes.remove_prefix(mark.size());
  switch (form.encoding) {
    case Encoding::kUtf8:
      if (!as && LooksBinary(bytes)) return NotText("the file is binary");
      if (unicode::IsValidUtf8(bytes)) {
        decoded.text = bytes;
        break;
      }
      if (as || form.has_mark || HasOddControls(bytes)) {
        return NotText("the file is not valid UTF-8");
      }
      form.encoding = Encoding::kLatin1;  // keeps every byte, whatever it stood for
      decoded.text = FromLatin1(bytes);
      break;
    case Encoding::kUtf16Le:
    case Encoding::kUtf16Be: {
      TRY_ASSIGN(decoded.text, FromUtf16(bytes, form.encoding));
      break;
    }
    case Encoding::kLatin1: decoded.text = FromLatin1(bytes); break;
  }
  form.ends = LineEndsOf(decoded.text);
  return decoded;
}

Result<std::string> EncodeText(std::string_view text, const TextForm& form) {
  std::string bytes(form.has_mark ? MarkOf(form.encoding) : std::string_view());
  switch (form.encoding) {
    case Encoding::kUtf8: bytes += text; return bytes;
    case Encoding::kUtf16Le:
    case Encoding::kUtf16Be: {
      TRY_ASSIGN(const std::string units, ToUtf16(text, form.encoding));
      return bytes + units;
    }
    case Encoding::kLatin1: break;
  }
  return ToLatin1(text);
}

}  // namespace cordon::tools
