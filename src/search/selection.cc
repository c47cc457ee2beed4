#include "search/selection.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::search {
namespace {

using confine::SearchChoice;
using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchNote;
using platform::FileType;

constexpr std::string_view kIgnore = ".ignore";
constexpr std::string_view kGitIgnore = ".gitignore";
constexpr std::string_view kExclude = ".git/info/exclude";

// What cannot be read, or may not be, has no rules.
IgnoreRules RulesIn(const SearchDirectory& directory, std::string_view name) {
  const auto file = directory.Open(name);
  if (!file) return {};
  std::string text(std::min<std::size_t>(file->size() + 1, IgnoreRules::kMostBytes), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto count = file->Read({text.data() + filled, text.size() - filled});
    if (!count || *count == 0) break;
    filled += *count;
  }
  return IgnoreRules::Parse(std::string_view(text).substr(0, filled));
}

}  // namespace

IgnoreVerdict IgnoreNote::Judge(std::string_view path_in_root, EntryKind kind) const {
  IgnoreVerdict git = IgnoreVerdict::kNone;
  IgnoreVerdict exclude = IgnoreVerdict::kNone;
  bool left_repository = !in_repository_;
  for (const IgnoreNote* note = this; note != nullptr; note = note->above_.get()) {
    const std::string_view path = path_in_root.substr(note->prefix_);
    if (!note->ignore_.empty()) {
      const IgnoreVerdict verdict = note->ignore_.Judge(path, kind);
      if (verdict != IgnoreVerdict::kNone) return verdict;
    }
    if (left_repository) continue;
    if (git == IgnoreVerdict::kNone && !note->git_.empty()) git = note->git_.Judge(path, kind);
    if (exclude == IgnoreVerdict::kNone && !note->exclude_.empty()) {
      exclude = note->exclude_.Judge(path, kind);
    }
    left_repository = note->repository_;
  }
  return git != IgnoreVerdict::kNone ? git : exclude;
}

Result<Selection> Selection::Compile(const SelectionTerms& terms) {
  Selection selection;
  selection.terms_ = terms;
  const auto add = [&](const std::string& pattern, std::string_view before) -> Status {
    Status added = selection.given_.Add(std::string(before) + pattern);
    if (!added) added.error().component = pattern;
    return added;
  };
  for (const std::string& pattern : terms.include) TRY(add(pattern, ""));
  for (const std::string& pattern : terms.exclude) TRY(add(pattern, "!"));
  return selection;
}

IgnoreVerdict Selection::JudgeGiven(std::string_view path, EntryKind kind) const {
  if (given_.empty()) return IgnoreVerdict::kNone;
  switch (given_.Judge(path, kind)) {
    case IgnoreVerdict::kIgnore: return IgnoreVerdict::kKeep;
    case IgnoreVerdict::kKeep: return IgnoreVerdict::kIgnore;
    case IgnoreVerdict::kNone: break;
  }
  const bool must_match = given_.ignoring() > 0 && kind == EntryKind::kFile;
  return must_match ? IgnoreVerdict::kIgnore : IgnoreVerdict::kNone;
}

std::shared_ptr<const SearchNote> Selection::MakeNote(const SearchDirectory& directory,
                                                      std::shared_ptr<const SearchNote> above,
                                                      Present present) const {
  const bool repository = directory.is_repository();
  if (terms_.ignore_files == IgnoreFiles::kDisregard) return above;
  if (!present.ignore && !present.git && !repository) return above;
  auto note = std::make_shared<IgnoreNote>();
  note->above_ = std::static_pointer_cast<const IgnoreNote>(std::move(above));
  note->prefix_ = directory.path_in_root().size();
  note->repository_ = repository;
  note->in_repository_ = repository || (note->above_ && note->above_->in_repository_);
  if (present.ignore) note->ignore_ = RulesIn(directory, kIgnore);
  if (present.git) note->git_ = RulesIn(directory, kGitIgnore);
  if (repository) note->exclude_ = RulesIn(directory, kExclude);
  return note;
}

std::shared_ptr<const SearchNote> Selection::NoteAbove(
    const SearchDirectory& directory, std::shared_ptr<const SearchNote> above) const {
  return MakeNote(directory, std::move(above), {true, true});
}

std::shared_ptr<const SearchNote> Selection::NoteOf(const SearchDirectory& directory,
                                                    std::shared_ptr<const SearchNote> above,
                                                    std::span<const SearchEntry> entries) const {
  Present present;
  for (const SearchEntry& entry : entries) {
    // In byte order: nothing that begins with another character follows below ".".
    if (entry.name.front() > '.') break;
    if (entry.name == kIgnore) present.ignore = true;
    if (entry.name == kGitIgnore) present.git = true;
  }
  return MakeNote(directory, std::move(above), present);
}

void Selection::Choose(const SearchDirectory& directory, const SearchNote* note,
                       std::span<SearchEntry> entries) const {
  const auto* const rules = static_cast<const IgnoreNote*>(note);
  std::string in_root(directory.path_in_root());
  const std::size_t prefix = in_root.size();
  const std::size_t start = prefix - (directory.path().empty() ? 0 : directory.path().size() + 1);
  for (SearchEntry& entry : entries) {
    const EntryKind kind =
        entry.type == FileType::kDirectory ? EntryKind::kDirectory : EntryKind::kFile;
    IgnoreVerdict verdict = IgnoreVerdict::kNone;
    if (rules != nullptr || !given_.empty()) {
      in_root.resize(prefix);
      in_root += entry.name;
      verdict = JudgeGiven(std::string_view(in_root).substr(start), kind);
      if (verdict == IgnoreVerdict::kNone && rules != nullptr) {
        verdict = rules->Judge(in_root, kind);
      }
    }
    const bool hidden = entry.name.front() == '.' && terms_.hidden == HiddenEntries::kPassOver;
    const bool passed_over =
        verdict == IgnoreVerdict::kIgnore || (hidden && verdict == IgnoreVerdict::kNone);
    entry.choice = passed_over ? SearchChoice::kPassOver : SearchChoice::kTake;
  }
}

}  // namespace cordon::search
