#include "consent/key_decoder.h"

#include <utility>

namespace cordon::consent {
namespace {

constexpr unsigned char kEscape = 0x1b;
constexpr unsigned char kBell = 0x07;

KeyMeaning ArrowOf(unsigned char final) {
  if (final == 'A') return KeyMeaning::kUp;
  if (final == 'B') return KeyMeaning::kDown;
  return KeyMeaning::kNothing;
}

}  // namespace

KeyMeaning KeyDecoder::Feed(char byte) {
  const auto b = static_cast<unsigned char>(byte);
  switch (state_) {
    case State::kGround: return FeedGround(b);
    case State::kEscape: return FeedEscape(b);
    case State::kCsi: return FeedCsi(b);
    case State::kSs3: state_ = State::kGround; return ArrowOf(b);
    case State::kString:
      if (b == kBell) state_ = State::kGround;
      if (b == kEscape) state_ = State::kStringEscape;
      return KeyMeaning::kNothing;
    case State::kStringEscape:
      state_ = b == '\\' ? State::kGround : State::kString;
      return KeyMeaning::kNothing;
    case State::kSkip:
      if (--skip_ == 0) state_ = State::kGround;
      return KeyMeaning::kNothing;
  }
  return KeyMeaning::kNothing;
}

KeyMeaning KeyDecoder::Expire() {
  const State was = std::exchange(state_, State::kGround);
  return was == State::kEscape ? KeyMeaning::kDeny : KeyMeaning::kNothing;
}

KeyMeaning KeyDecoder::FeedGround(unsigned char byte) {
  switch (byte) {
    case '1': return KeyMeaning::kFirst;
    case '2': return KeyMeaning::kSecond;
    case '3': return KeyMeaning::kThird;
    case 'k': return KeyMeaning::kUp;
    case 'j': return KeyMeaning::kDown;
    case '\r':
    case '\n': return KeyMeaning::kTake;
    case 0x03:                            // Ctrl-C
    case 0x04:                            // Ctrl-D
    case 0x1c: return KeyMeaning::kDeny;  // Ctrl-backslash
    case kEscape: state_ = State::kEscape; return KeyMeaning::kNothing;
    case 0x9b:  // CSI as one byte
      state_ = State::kCsi;
      has_parameters_ = false;
      return KeyMeaning::kNothing;
    default: break;
  }
  // The rest of a character that is no ASCII.
  if (byte >= 0xc2 && byte < 0xf5) {
    skip_ = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    state_ = State::kSkip;
  }
  return KeyMeaning::kNothing;
}

KeyMeaning KeyDecoder::FeedEscape(unsigned char byte) {
  state_ = State::kGround;
  switch (byte) {
    case '[':
      state_ = State::kCsi;
      has_parameters_ = false;
      return KeyMeaning::kNothing;
    case 'O': state_ = State::kSs3; return KeyMeaning::kNothing;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': state_ = State::kString; return KeyMeaning::kNothing;
    case kEscape:  // the first of them stood alone
    case 0x03:
    case 0x04:
    case 0x1c: return KeyMeaning::kDeny;
    default: return KeyMeaning::kNothing;  // Alt and a key
  }
}

KeyMeaning KeyDecoder::FeedCsi(unsigned char byte) {
  if (byte == kEscape) {
    state_ = State::kEscape;
    return KeyMeaning::kNothing;
  }
  if (byte == 0x03 || byte == 0x04 || byte == 0x1c) {
    state_ = State::kGround;
    return KeyMeaning::kDeny;
  }
  if (byte < 0x40 || byte > 0x7e) {  // parameters and what stands between
    has_parameters_ = true;
    return KeyMeaning::kNothing;
  }
  state_ = State::kGround;
  if (byte == 'M' && !has_parameters_) {  // a mouse, the old way: three more bytes
    skip_ = 3;
    state_ = State::kSkip;
    return KeyMeaning::kNothing;
  }
  if (byte == '[') {  // a function key of the Linux console: one more letter
    skip_ = 1;
    state_ = State::kSkip;
    return KeyMeaning::kNothing;
  }
  return has_parameters_ ? KeyMeaning::kNothing : ArrowOf(byte);
}

}  // namespace cordon::consent
