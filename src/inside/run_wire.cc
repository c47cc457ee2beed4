#include "inside/run_wire.h"

namespace cordon::inside {
namespace {

constexpr std::size_t kHead = 5;
constexpr std::string_view kKinds = "ickzbngoex";

std::string FourBytes(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
  }
  return bytes;
}

}  // namespace

std::string Encode(Frame::Kind kind, std::string_view bytes) {
  std::string frame(1, static_cast<char>(kind));
  frame += FourBytes(static_cast<std::uint32_t>(bytes.size()));
  frame += bytes;
  return frame;
}

std::string EncodeNumber(Frame::Kind kind, std::uint32_t number) {
  return Encode(kind, FourBytes(number));
}

std::optional<std::uint32_t> NumberIn(std::string_view bytes) {
  if (bytes.size() != 4) return std::nullopt;
  std::uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string Encode(const RunEnd& end) {
  const std::string bytes = {static_cast<char>(end.status), static_cast<char>(end.signal),
                             end.why == RunEnd::Why::kTimeout ? '\1' : '\0'};
  return Encode(Frame::Kind::kEnded, bytes);
}

std::optional<RunEnd> RunEndIn(std::string_view bytes) {
  if (bytes.size() != 3) return std::nullopt;
  RunEnd end;
  end.status = static_cast<unsigned char>(bytes[0]);
  end.signal = static_cast<unsigned char>(bytes[1]);
  end.why = bytes[2] == '\1' ? RunEnd::Why::kTimeout : RunEnd::Why::kEnded;
  return end;
}

std::string Encode(const RunSize& size) {
  return EncodeNumber(Frame::Kind::kSize, std::uint32_t{size.rows} << 16 | size.columns);
}

std::optional<RunSize> RunSizeIn(std::string_view bytes) {
  const std::optional<std::uint32_t> both = NumberIn(bytes);
  if (!both) return std::nullopt;
  return RunSize{static_cast<std::uint16_t>(*both >> 16), static_cast<std::uint16_t>(*both)};
}

Result<std::optional<Frame>> FrameReader::Next() {
  const std::string_view left = std::string_view(held_).substr(read_);
  const auto more = [this] {
    held_.erase(0, read_);
    read_ = 0;
    return std::optional<Frame>();
  };
  if (left.size() < kHead) return more();
  const std::size_t size = *NumberIn(left.substr(1, 4));
  if (size > kLongestFrame || kKinds.find(left[0]) == std::string_view::npos) {
    Error error;
    error.op = "frame";
    error.detail = "A frame cannot be read.";
    return error;
  }
  if (left.size() < kHead + size) return more();
  Frame frame;
  frame.kind = static_cast<Frame::Kind>(left[0]);
  frame.bytes = left.substr(kHead, size);
  read_ += kHead + size;
  return std::optional<Frame>(std::move(frame));
}

}  // namespace cordon::inside
