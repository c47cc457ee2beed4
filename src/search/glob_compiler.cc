#include "search/glob_compiler.h"

#include <algorithm>
#include <utility>

namespace cordon::search {
namespace {

using Part = GlobPart::Kind;

// A set of so many steps is one word.
constexpr std::size_t kFew = 64;
// Steps of EmitDirectories.
constexpr std::uint32_t kDirectories = 3;

std::string BytesOf(const std::vector<GlobPart>& parts, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += static_cast<char>(parts[i].byte);
  return text;
}

}  // namespace

void GlobCompiler::Compile(const std::vector<GlobPart>& parts) {
  Describe(parts);
  Emit(parts);
  Add(Kind::kEnd);
  FindName();
  if (glob_.steps_.size() <= kFew) Reach();
}

std::uint32_t GlobCompiler::Add(Kind kind, unsigned char byte) {
  glob_.steps_.push_back({kind, byte, 0});
  return static_cast<std::uint32_t>(glob_.steps_.size() - 1);
}

void GlobCompiler::EmitDirectories() {
  const std::uint32_t split = Add(Kind::kSplit);
  Add(Kind::kAnything);
  Add(Kind::kByte, '/');
  glob_.steps_[split].next = size();
}

void GlobCompiler::EmitAlternates(const GlobPart& part) {
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

void GlobCompiler::Emit(const std::vector<GlobPart>& parts) {
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

void GlobCompiler::FindName() {
  if (!glob_.anywhere_ || size() < kDirectories + 1) return;
  const auto crosses = [](const Glob::Step& step) {
    return step.kind == Kind::kAnything || (step.kind == Kind::kByte && step.byte == '/');
  };
  const auto begin = glob_.steps_.begin() + kDirectories;
  if (std::none_of(begin, glob_.steps_.end(), crosses)) glob_.name_step_ = kDirectories;
}

// From the last on: what follows a step is known already.
void GlobCompiler::Reach() {
  std::vector<std::uint64_t>& reach = glob_.reach_;
  reach.resize(size());
  for (std::uint32_t at = size(); at-- > 0;) {
    const Glob::Step& step = glob_.steps_[at];
    const std::uint64_t itself = std::uint64_t{1} << at;
    switch (step.kind) {
      case Kind::kJump: reach[at] = reach[step.next]; break;
      case Kind::kSplit: reach[at] = reach[at + 1] | reach[step.next]; break;
      case Kind::kStar:
      case Kind::kAnything: reach[at] = itself | reach[at + 1]; break;
      default: reach[at] = itself;
    }
  }
}

void GlobCompiler::Describe(const std::vector<GlobPart>& parts) {
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
  glob_.anywhere_ = prefixed;
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

void GlobCompiler::Set(Glob::Shape shape, std::string text) {
  glob_.shape_ = shape;
  glob_.text_ = std::move(text);
}

}  // namespace cordon::search
