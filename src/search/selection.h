// Which entries of a tree a search takes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "confine/search_visitor.h"
#include "cordon/result.h"
#include "search/ignore_rules.h"

namespace cordon::search {

enum class IgnoreFiles { kRespect, kDisregard };
enum class HiddenEntries { kPassOver, kTake };  // whose names begin with "."

struct SelectionTerms {
  IgnoreFiles ignore_files = IgnoreFiles::kRespect;
  HiddenEntries hidden = HiddenEntries::kPassOver;
  // As ripgrep's -g: below the start, by the grammar of ignore files; with any `include` a
  // file must match one. They beat ignore files and the rule about hidden entries.
  std::vector<std::string> include, exclude;
};

// The rules that hold in a directory: ".ignore" before ".gitignore" before
// ".git/info/exclude", each nearest first, up to the root of the workspace. The latter two
// hold only in a repository, and those of one repository not in another below it.
class IgnoreNote final : public confine::SearchNote {
 public:
  IgnoreVerdict Judge(std::string_view path_in_root, EntryKind kind) const;

 private:
  friend class Selection;
  std::shared_ptr<const IgnoreNote> above_;
  std::size_t prefix_ = 0;  // length of the directory's own path, "/" included
  IgnoreRules ignore_, git_, exclude_;
  bool repository_ = false;
  bool in_repository_ = false;  // or one above is
};

// Guarantees: what is ignored is ignored as ripgrep 13 does, but for rules above the root.
// Thread safety: const methods may run concurrently.
class Selection {
 public:
  // Errors: kInvalidArguments, with the pattern that is none.
  static Result<Selection> Compile(const SelectionTerms& terms);

  // The note of a directory above the start, of which no entries are known.
  std::shared_ptr<const confine::SearchNote> NoteAbove(
      const confine::SearchDirectory& directory,
      std::shared_ptr<const confine::SearchNote> above) const;
  // The note of a directory with these entries.
  std::shared_ptr<const confine::SearchNote> NoteOf(
      const confine::SearchDirectory& directory, std::shared_ptr<const confine::SearchNote> above,
      std::span<const confine::SearchEntry> entries) const;
  // Makes the choice for each entry; `note` is the directory's own.
  void Choose(const confine::SearchDirectory& directory, const confine::SearchNote* note,
              std::span<confine::SearchEntry> entries) const;

 private:
  IgnoreVerdict JudgeGiven(std::string_view path, EntryKind kind) const;
  struct Present {
    bool ignore = false, git = false;
  };
  std::shared_ptr<const confine::SearchNote> MakeNote(
      const confine::SearchDirectory& directory, std::shared_ptr<const confine::SearchNote> above,
      Present present) const;

  SelectionTerms terms_;
  IgnoreRules given_;  // include and exclude, the other way round
};

}  // namespace cordon::search
