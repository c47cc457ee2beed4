#include "search/glob.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "search/glob_parser.h"

namespace cordon::search {
namespace {

using Part = GlobPart::Kind;

std::string BytesOf(const std::vector<GlobPart>& parts, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += static_cast<char>(parts[i].byte);
  return text;
}

}  // namespace

class GlobCompiler {
 public:
  explicit GlobCompiler(Glob& glob) : glob_(glob) {}

  void Compile(const std::vector<GlobPart>& parts) {
    Describe(parts);
    Emit(parts);
    Add(Kind::kEnd);
  }

 private:
  using Kind = Glob::Kind;

  std::uint32_t Add(Kind kind, unsigned char byte = 0) {
    glob_.steps_.push_back({kind, byte, 0});
    return static_cast<std::uint32_t>(glob_.steps_.size() - 1);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(glob_.steps_.size()); }

  // Nothing, or anything and a slash.
  void EmitDirectories() {
    const std::uint32_t split = Add(Kind::kSplit);
    Add(Kind::kAnything);
    Add(Kind::kByte, '/');
    glob_.steps_[split].next = size();
  }

  void EmitAlternates(const GlobPart& part) {
    std::vector<std::uint32_t> jumps;
    for (std::size_t i = 0; i < part.alternatives.size(); ++i) {
      const bool last = i + 1 == part.alternatives.size();
      const std::uint32_t split = last ? 0 : Add(Kind::kSplit);
      Emit(part.alternatives[i]);
      if (last) break;
      jumps.push_back(Add(Kind::kJump));
      glob_.steps_[split].next = size();
    }
    for (const std::uint32_t jump : jumps) glob_.steps_[jump].next = size();
  }

  void Emit(const std::vector<GlobPart>& parts) {
    if (parts.size() == 1 && parts.front().kind == Part::kPrefix) {
      Add(Kind::kAnything);
      return;
    }
    for (const GlobPart& part : parts) {
      switch (part.kind) {
        case Part::kByte: Add(Kind::kByte, part.byte); break;
        case Part::kAny: Add(Kind::kAny); break;
        case Part::kStar: Add(Kind::kStar); break;
        case Part::kClass:
          glob_.steps_[Add(Kind::kClass)].next = static_cast<std::uint32_t>(glob_.classes_.size());
          glob_.classes_.push_back(part.members);
          break;
        case Part::kPrefix: EmitDirectories(); break;
        case Part::kSuffix:
          Add(Kind::kByte, '/');
          Add(Kind::kAnything);
          break;
        case Part::kMiddle:
          Add(Kind::kByte, '/');
          EmitDirectories();
          break;
        case Part::kAlternates: EmitAlternates(part); break;
      }
    }
  }

  // Finds the shape, and what stands fixed at both ends.
  void Describe(const std::vector<GlobPart>& parts) {
    const auto is_byte = [](const GlobPart& part) { return part.kind == Part::kByte; };
    const auto first = std::find_if_not(parts.begin(), parts.end(), is_byte);
    const auto last = std::find_if_not(parts.rbegin(), parts.rend(), is_byte);
    const auto head = static_cast<std::size_t>(first - parts.begin());
    const auto tail = parts.size() - static_cast<std::size_t>(last - parts.rbegin());
    glob_.prefix_ = BytesOf(parts, 0, head);
    glob_.suffix_ = BytesOf(parts, tail, parts.size());
    const bool fixed = head == parts.size();
    const bool no_slash = glob_.suffix_.find('/') == std::string::npos;
    const bool prefixed = !parts.empty() && parts.front().kind == Part::kPrefix;
    if (fixed) {
      Set(Glob::Shape::kPath, glob_.prefix_);
    } else if (prefixed && parts.size() == 1) {
      Set(Glob::Shape::kEverything, {});
    } else if (prefixed && tail == 1 && no_slash) {
      Set(Glob::Shape::kName, glob_.suffix_);
    } else if (prefixed && tail == 2 && parts[1].kind == Part::kStar && no_slash) {
      Set(Glob::Shape::kNameEnd, glob_.suffix_);
    }
  }

  void Set(Glob::Shape shape, std::string text) {
    glob_.shape_ = shape;
    glob_.text_ = std::move(text);
  }

  Glob& glob_;
};

Result<Glob> Glob::Compile(std::string_view pattern) {
  TRY_ASSIGN(const std::vector<GlobPart> parts, ParseGlob(pattern));
  Glob glob;
  GlobCompiler(glob).Compile(parts);
  return glob;
}

// The steps at which a match may stand, each once.
class Glob::States {
 public:
  explicit States(const std::vector<Step>& steps) : steps_(steps), mark_(steps.size(), 0) {}

  void Clear() {
    list_.clear();
    if (++round_ == 0) {
      std::fill(mark_.begin(), mark_.end(), 0);
      round_ = 1;
    }
  }

  // Adds a step, and what can be reached from it for nothing.
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

  const std::vector<std::uint32_t>& list() const { return list_; }
  bool Has(std::uint32_t step) const { return mark_[step] == round_; }
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

// Takes the states from before `bytes` to after them. False: none is left.
bool Glob::Advance(std::string_view bytes, States& states) const {
  States next(steps_);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    next.Clear();
    for (const std::uint32_t at : states.list()) {
      const Step& step = steps_[at];
      switch (step.kind) {
        case Kind::kByte:
          if (byte == step.byte) next.Add(at + 1);
          break;
        case Kind::kAny:
          if (byte != '/') next.Add(at + 1);
          break;
        case Kind::kClass:
          if (classes_[step.next].test(byte)) next.Add(at + 1);
          break;
        case Kind::kStar:
          if (byte != '/') next.Add(at);
          break;
        case Kind::kAnything: next.Add(at); break;
        default: break;
      }
    }
    states.Swap(next);
    if (states.list().empty()) return false;
  }
  return true;
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
  States states(steps_);
  states.Add(0);
  return Advance(path, states) && states.Has(static_cast<std::uint32_t>(steps_.size() - 1));
}

bool Glob::MayMatchBelow(std::string_view path) const {
  States states(steps_);
  states.Add(0);
  if (path.empty()) return true;
  if (!Advance(path, states) || !Advance("/", states)) return false;
  // The end alone is behind us, not below.
  return states.list().size() > 1 || !states.Has(static_cast<std::uint32_t>(steps_.size() - 1));
}

}  // namespace cordon::search
