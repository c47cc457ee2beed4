#include "search/glob.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/try.h"
#include "search/glob_compiler.h"
#include "search/glob_parser.h"

namespace cordon::search {
Result<Glob> Glob::Compile(std::string_view pattern) {
  TRY_ASSIGN(const std::vector<GlobPart> parts, ParseGlob(pattern));
  Glob glob;
  GlobCompiler(glob).Compile(parts);
  return glob;
}

// The steps at which a match may stand, of a pattern that has few.
class Glob::FewStates {
 public:
  explicit FewStates(const Glob& glob) : reach_(glob.reach_) {}

  void Clear() { set_ = 0; }
  // Adds a step, and what can be reached from it for nothing.
  void Add(std::uint32_t step) { set_ |= reach_[step]; }
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (std::uint64_t left = set_; left != 0; left &= left - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  bool empty() const { return set_ == 0; }
  bool Has(std::uint32_t step) const { return (set_ >> step & 1) != 0; }
  bool HasOthers(std::uint32_t step) const { return (set_ & ~(std::uint64_t{1} << step)) != 0; }
  void Swap(FewStates& other) { std::swap(set_, other.set_); }

 private:
  const std::vector<std::uint64_t>& reach_;
  std::uint64_t set_ = 0;
};

// The same of any pattern, each step once.
class Glob::States {
 public:
  explicit States(const Glob& glob) : steps_(glob.steps_), mark_(glob.steps_.size(), 0) {}

  void Clear() {
    list_.clear();
    if (++round_ == 0) {
      std::fill(mark_.begin(), mark_.end(), 0);
      round_ = 1;
    }
  }

  void Add(std::uint32_t step) {
    pending_.push_back(step);
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (mark_[at] == round_) continue;
      mark_[at] = round_;
      switch (steps_[at].kind) {
        case Kind::kJump: pending_.push_back(steps_[at].next); continue;
        case Kind::kSplit:
          pending_.push_back(steps_[at].next);
          pending_.push_back(at + 1);
          continue;
        case Kind::kStar:
        case Kind::kAnything: pending_.push_back(at + 1); break;
        default: break;
      }
      list_.push_back(at);
    }
  }

  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (const std::uint32_t at : list_) visit(at);
  }
  bool empty() const { return list_.empty(); }
  bool Has(std::uint32_t step) const { return mark_[step] == round_; }
  bool HasOthers(std::uint32_t step) const {
    return list_.size() > (Has(step) ? std::size_t{1} : std::size_t{0});
  }
  void Swap(States& other) {
    list_.swap(other.list_);
    mark_.swap(other.mark_);
    std::swap(round_, other.round_);
  }

 private:
  const std::vector<Step>& steps_;
  std::vector<std::uint32_t> list_, pending_;
  std::vector<std::uint32_t> mark_;  // round in which a step was added last
  std::uint32_t round_ = 1;
};

Glob::Taken Glob::Take(const Step& step, unsigned char byte) const {
  switch (step.kind) {
    case Kind::kByte: return byte == step.byte ? Taken::kGoesOn : Taken::kNot;
    case Kind::kAny: return byte != '/' ? Taken::kGoesOn : Taken::kNot;
    case Kind::kClass: return classes_[step.next].test(byte) ? Taken::kGoesOn : Taken::kNot;
    case Kind::kStar: return byte != '/' ? Taken::kStays : Taken::kNot;
    case Kind::kAnything: return Taken::kStays;
    default: return Taken::kNot;
  }
}

// Takes the states from before `bytes` to after them. False: none is left.
template <typename AnyStates>
bool Glob::Advance(std::string_view bytes, AnyStates& states) const {
  AnyStates next(*this);
  for (const char c : bytes) {
    next.Clear();
    states.ForEach([&](std::uint32_t at) {
      const Taken taken = Take(steps_[at], static_cast<unsigned char>(c));
      if (taken != Taken::kNot) next.Add(taken == Taken::kStays ? at : at + 1);
    });
    states.Swap(next);
    if (states.empty()) return false;
  }
  return true;
}

template <typename AnyStates>
bool Glob::MatchesFrom(std::uint32_t step, std::string_view bytes) const {
  AnyStates states(*this);
  states.Add(step);
  return Advance(bytes, states) && states.Has(end());
}

bool Glob::Matches(std::string_view path) const {
  const auto name = [&] { return path.substr(path.rfind('/') + 1); };
  switch (shape_) {
    case Shape::kEverything: return true;
    case Shape::kPath: return path == text_;
    case Shape::kName: return name() == text_;
    case Shape::kNameEnd: return name().ends_with(text_);
    case Shape::kGeneral: break;
  }
  if (path.size() < prefix_.size() || !path.starts_with(prefix_) || !path.ends_with(suffix_)) {
    return false;
  }
  const std::string_view rest = name_step_ == 0 ? path : name();
  return reach_.empty() ? MatchesFrom<States>(name_step_, rest)
                        : MatchesFrom<FewStates>(name_step_, rest);
}

// Whether there is a way on after the directory.
template <typename AnyStates>
bool Glob::LeavesSomething(std::string_view path) const {
  AnyStates states(*this);
  states.Add(0);
  if (!Advance(path, states) || !Advance("/", states)) return false;
  // The end alone is behind us, not below.
  return states.HasOthers(end());
}

bool Glob::MayMatchBelow(std::string_view path) const {
  if (path.empty() || anywhere_) return true;
  return reach_.empty() ? LeavesSomething<States>(path) : LeavesSomething<FewStates>(path);
}

}  // namespace cordon::search
