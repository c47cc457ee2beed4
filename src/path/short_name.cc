// 8.3 aliases, as NTFS and FAT make them: leading dots and spaces go, of the other
// dots only the last stays, what DOS could not write becomes "_", the rest is cut
// to six characters and three, and "~N" follows. When the first few numbers are
// taken, two characters and four hexadecimal digits stand before the "~".
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/unicode.h"
#include "path/name_rules.h"

namespace cordon::path {
namespace {

constexpr std::size_t kBaseLength = 8;
constexpr std::size_t kExtensionLength = 3;

using Letters = std::vector<char32_t>;

char32_t Upper(char32_t c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }
bool IsHex(char32_t c) { return IsDigit(c) || (c >= 'A' && c <= 'F'); }

bool IsShortNameLetter(char32_t c) {
  if (c >= 0x80) return true;  // what a code page can hold, stays
  if (IsDigit(c) || (Upper(c) >= 'A' && Upper(c) <= 'Z')) return true;
  return c != 0 &&
         std::string_view("!#$%&'()-@^_`{}~").find(static_cast<char>(c)) != std::string_view::npos;
}

Letters Decode(std::string_view text) {
  Letters letters;
  while (!text.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(text);
    letters.push_back(Upper(next.code_point));
    text.remove_prefix(next.length);
  }
  return letters;
}

struct ShortName {
  Letters prefix;  // what stands before "~"
  std::size_t digits = 0;
  Letters extension;
};

std::optional<ShortName> ReadShortName(std::string_view name) {
  name = StripNtfsDecoration(name);
  // At most four bytes for each of eight letters, a dot, and three more.
  if (name.size() > 4 * (kBaseLength + kExtensionLength) + 1) return std::nullopt;
  const std::size_t dot = name.find('.');
  ShortName read;
  read.prefix = Decode(name.substr(0, dot));
  if (dot != std::string_view::npos) read.extension = Decode(name.substr(dot + 1));
  if (read.prefix.size() > kBaseLength || read.extension.size() > kExtensionLength) {
    return std::nullopt;
  }
  if (!std::all_of(read.prefix.begin(), read.prefix.end(), IsShortNameLetter) ||
      !std::all_of(read.extension.begin(), read.extension.end(), IsShortNameLetter)) {
    return std::nullopt;
  }
  while (!read.prefix.empty() && IsDigit(read.prefix.back())) {
    if (read.prefix.size() >= 2 && read.prefix[read.prefix.size() - 2] == U'~' &&
        read.prefix.back() == U'0') {
      return std::nullopt;  // counting starts at one
    }
    read.prefix.pop_back();
    ++read.digits;
  }
  if (read.digits == 0 || read.prefix.size() < 2 || read.prefix.back() != U'~') {
    return std::nullopt;
  }
  read.prefix.pop_back();
  return read;
}

// One step of a long name, as far as its alias is concerned.
struct Symbol {
  enum class Kind { kLetter, kDot, kDropped, kAny } kind;
  char32_t letter = 0;
};

// Follows all readings of a long name at once and remembers how far into the
// alias each has come.
class Follower {
 public:
  enum class Rest { kNone, kSome };  // may more follow what the alias shows?

  Follower(const Letters& base, Rest base_rest, const Letters& extension)
      : base_(base), base_rest_(base_rest), extension_(extension) {
    states_.set(Index({}));
  }

  void Step(Symbol symbol) { states_ = After(states_, symbol); }

  void StepAnyNumber() {
    for (;;) {
      const States more = states_ | After(states_, {Symbol::Kind::kAny});
      if (more == states_) return;
      states_ = more;
    }
  }

  bool Accepts() const {
    for (std::size_t index = 0; index < states_.size(); ++index) {
      if (!states_[index]) continue;
      const State state = At(index);
      if (state.in_extension ? state.seen == extension_.size() && !extension_.empty()
                             : state.seen == base_.size() && extension_.empty() && !state.owes) {
        return true;
      }
    }
    return false;
  }

 private:
  struct State {
    std::size_t seen = 0;  // letters of the base or of the extension
    bool in_extension = false;
    bool started = false;  // past leading dots and spaces
    bool owes = false;     // passed over a dot, so a later one must follow
  };
  using States = std::bitset<128>;  // 16 counts, three flags

  static std::size_t Index(const State& s) {
    return s.seen | (s.in_extension ? 16U : 0U) | (s.started ? 32U : 0U) | (s.owes ? 64U : 0U);
  }
  static State At(std::size_t index) {
    return {index & 15U, (index & 16U) != 0, (index & 32U) != 0, (index & 64U) != 0};
  }

  void AddLetter(States& to, State state, const Symbol& symbol) const {
    const Letters& wanted = state.in_extension ? extension_ : base_;
    state.started = true;
    if (state.seen < wanted.size()) {
      if (symbol.kind == Symbol::Kind::kLetter && symbol.letter != wanted[state.seen]) return;
      ++state.seen;
    } else if (state.in_extension ? wanted.size() < kExtensionLength : base_rest_ == Rest::kNone) {
      return;
    }
    to.set(Index(state));
  }

  void AddDot(States& to, State state) const {
    if (state.in_extension) return;  // that dot was not the last one
    if (!state.started) {
      to.set(Index(state));
      return;
    }
    State passed_over = state;
    passed_over.owes = true;
    to.set(Index(passed_over));
    if (state.seen == base_.size()) to.set(Index({0, true, true, false}));
  }

  States After(const States& from, const Symbol& symbol) const {
    States to;
    for (std::size_t index = 0; index < from.size(); ++index) {
      if (!from[index]) continue;
      const State state = At(index);
      const bool any = symbol.kind == Symbol::Kind::kAny;
      if (any || symbol.kind == Symbol::Kind::kLetter) AddLetter(to, state, symbol);
      if (any || symbol.kind == Symbol::Kind::kDot) AddDot(to, state);
      if (any || symbol.kind == Symbol::Kind::kDropped) to.set(index);
    }
    return to;
  }

  const Letters& base_;
  Rest base_rest_;
  const Letters& extension_;
  States states_;
};

bool CouldShorten(std::string_view long_glob, Follower follower) {
  while (!long_glob.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(long_glob);
    long_glob.remove_prefix(next.length);
    const char32_t c = Upper(next.code_point);
    if (c == '*' || c >= 0x80) {
      follower.StepAnyNumber();  // a code page may make of it what it will
    } else if (c == '?') {
      follower.Step({Symbol::Kind::kAny});
    } else if (c == '.') {
      follower.Step({Symbol::Kind::kDot});
    } else if (c == ' ') {
      follower.Step({Symbol::Kind::kDropped});
    } else {
      follower.Step({Symbol::Kind::kLetter, IsShortNameLetter(c) ? c : U'_'});
    }
  }
  return follower.Accepts();
}

}  // namespace

bool IsShortNameShape(std::string_view name) { return ReadShortName(name).has_value(); }

bool ShortNameMayAlias(std::string_view name, std::string_view long_glob) {
  const std::optional<ShortName> alias = ReadShortName(name);
  if (!alias) return false;
  const Letters& prefix = alias->prefix;
  // A base that would have had room for more is all there is, unless its letters
  // take more than one byte in the code page.
  const bool full = prefix.size() + alias->digits + 1 >= kBaseLength;
  const bool wide = std::any_of(prefix.begin(), prefix.end(), [](char32_t c) { return c >= 0x80; });
  const auto rest = full || wide ? Follower::Rest::kSome : Follower::Rest::kNone;
  if (CouldShorten(long_glob, Follower(prefix, rest, alias->extension))) return true;

  for (std::size_t letters = 1; letters <= 2 && letters < prefix.size(); ++letters) {
    const std::size_t hashed = prefix.size() - letters;
    if (hashed > 4 || (hashed < 4 && alias->digits == 1)) continue;
    if (!std::all_of(prefix.begin() + static_cast<std::ptrdiff_t>(letters), prefix.end(), IsHex)) {
      continue;
    }
    const Letters kept(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(letters));
    const auto more = letters == 2 ? Follower::Rest::kSome : Follower::Rest::kNone;
    if (CouldShorten(long_glob, Follower(kept, more, alias->extension))) return true;
  }
  return false;
}

}  // namespace cordon::path
