// How a file's bytes are text: its encoding, byte order mark and line ends, so that what
// is edited as UTF-8 goes back as it came.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::tools {

enum class Encoding { kUtf8, kUtf16Le, kUtf16Be, kLatin1 };
std::string_view EncodingName(Encoding encoding);  // "utf-8", "utf-16le", ...
std::optional<Encoding> ParseEncoding(std::string_view name);

enum class LineEnds { kNone, kLf, kCrLf, kMixed };  // kNone: one line, or none
std::string_view LineEndsName(LineEnds ends);       // "none", "lf", "crlf", "mixed"

struct TextForm {
  Encoding encoding = Encoding::kUtf8;
  bool has_mark = false;  // a byte order mark
  LineEnds ends = LineEnds::kNone;
};

struct DecodedText {
  std::string text;  // UTF-8, without the mark, line ends as they are
  TextForm form;
};

// Whether the bytes a file begins with are those of something else than text: a NUL
// where no UTF-16 mark explains it, or a known signature.
bool LooksBinary(std::string_view beginning);

// `as`: the encoding to take it for instead of what it looks like. What looks like text
// but is not UTF-8 is taken for Latin-1, which has a character for every byte.
// Errors: kNotText: binary, or not valid in its encoding.
Result<DecodedText> DecodeText(std::string_view bytes, std::optional<Encoding> as = {});

// Gives back what DecodeText was given, when the text is the same.
// Errors: kNotText when the encoding cannot hold a character.
Result<std::string> EncodeText(std::string_view text, const TextForm& form);

LineEnds LineEndsOf(std::string_view text);

// "image/png" and so on by how the bytes begin; "application/octet-stream" otherwise.
std::string_view MimeTypeOf(std::string_view beginning);

}  // namespace cordon::tools
