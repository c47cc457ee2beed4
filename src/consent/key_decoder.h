// What the bytes of a keyboard mean to a question.
#pragma once

namespace cordon::consent {

enum class KeyMeaning { kNothing, kFirst, kSecond, kThird, kUp, kDown, kTake, kDeny };

// Fed byte by byte. Sequences that are no answer (function keys, Alt, a mouse, what a
// terminal reports by itself) are swallowed whole: none of their bytes counts as a key.
class KeyDecoder {
 public:
  KeyMeaning Feed(char byte);
  // Nothing has come for a while: an Escape that stands alone is a key.
  KeyMeaning Expire();
  // Whether Expire could mean something.
  bool waiting() const { return state_ != State::kGround; }

 private:
  enum class State { kGround, kEscape, kCsi, kSs3, kString, kStringEscape, kSkip };

  KeyMeaning FeedGround(unsigned char byte);
  KeyMeaning FeedEscape(unsigned char byte);
  KeyMeaning FeedCsi(unsigned char byte);

  State state_ = State::kGround;
  int skip_ = 0;                 // bytes still to swallow in kSkip
  bool has_parameters_ = false;  // of a CSI
};

}  // namespace cordon::consent
