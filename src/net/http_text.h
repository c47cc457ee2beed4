// What a reply looks like on the wire.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace cordon::net {

// How the client learns where a body ends.
enum class Framing { kLength, kChunks, kUntilClose };
enum class Afterwards { kKeepAlive, kClose };

struct HeadTerms {
  Framing framing = Framing::kLength;
  Afterwards afterwards = Afterwards::kClose;
  std::chrono::system_clock::time_point now;
};

// Status line and fields, up to and with the empty line. What would break out of a field is
// replaced by blanks.
std::string HeadText(const HttpResponse& response, const HeadTerms& terms);

// One piece of a body in chunks; not for an empty one, which would end it.
std::string ChunkText(std::string_view piece);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string DateText(std::chrono::system_clock::time_point time);

// A short answer in plain text, for what goes wrong before anybody else has a say.
HttpResponse PlainAnswer(std::uint16_t status, std::string_view why);

}  // namespace cordon::net
