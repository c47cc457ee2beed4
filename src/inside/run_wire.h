// What goes over the streams of `cordon-tools run`, in both directions: a letter, the length in
// four bytes, the highest first, and that many bytes. Neither side trusts the other's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::inside {

struct Frame {
  enum class Kind : char {
    // To the tools, on its input. When that ends, so does an attached program.
    kInput = 'i',     // for the program; no more than was granted
    kInputEnd = 'c',  //
    kKill = 'k',      //
    kSize = 'z',      // of the terminal: rows, columns, two bytes each
    // From it, on its output.
    kBegun = 'b',     // the program runs
    kNotBegun = 'n',  // errno in four bytes; nothing follows
    kGrant = 'g',     // four bytes: so much more input is taken
    kOut = 'o',       //
    kErr = 'e',       //
    kEnded = 'x',     // exit status, signal, whether time ran out, one byte each; the last
  };
  Kind kind = Kind::kOut;
  std::string bytes;
};

inline constexpr std::size_t kLongestFrame = std::size_t{64} << 10;
// Of input, before the first grant.
inline constexpr std::uint32_t kFirstGrant = std::uint32_t{256} << 10;

std::string Encode(Frame::Kind kind, std::string_view bytes = {});
std::string EncodeNumber(Frame::Kind kind, std::uint32_t number);
std::optional<std::uint32_t> NumberIn(std::string_view bytes);

struct RunEnd {
  int status = 0, signal = 0;
  enum class Why { kEnded, kTimeout } why = Why::kEnded;
};
std::string Encode(const RunEnd& end);
std::optional<RunEnd> RunEndIn(std::string_view bytes);

struct RunSize {
  std::uint16_t rows = 24, columns = 80;
};
std::string Encode(const RunSize& size);
std::optional<RunSize> RunSizeIn(std::string_view bytes);

// Takes bytes as they come, gives frames.
class FrameReader {
 public:
  void Take(std::string_view bytes) { held_ += bytes; }
  // Unset: more is needed. Errors: kIoError for what can be no frame.
  Result<std::optional<Frame>> Next();

 private:
  std::string held_;
  std::size_t read_ = 0;
};

}  // namespace cordon::inside
