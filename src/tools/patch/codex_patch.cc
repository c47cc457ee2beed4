#include "tools/patch/codex_patch.h"

#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "tools/line_search.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kBegin = "*** Begin Patch";
constexpr std::string_view kEnd = "*** End Patch";
constexpr std::string_view kAdd = "*** Add File:";
constexpr std::string_view kDelete = "*** Delete File:";
constexpr std::string_view kUpdate = "*** Update File:";
constexpr std::string_view kMove = "*** Move to:";
constexpr std::string_view kEndOfFile = "*** End of File";

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(text) {}

  Result<Patch> Run() {
    SkipBlank();
    if (Done() || Trim(Line()) != kBegin) {
      return PatchError(Number(), "the first line must be \"*** Begin Patch\"");
    }
    ++at_;
    Patch patch;
    for (SkipBlank(); !Done() && Trim(Line()) != kEnd; SkipBlank()) {
      TRY_ASSIGN(FilePatch file, File());
      TRY(count_.AddFile());
      patch.files.push_back(std::move(file));
    }
    if (Done()) return PatchError(Number(), "the last line must be \"*** End Patch\"");
    ++at_;
    SkipBlank();
    if (!Done()) return PatchError(Number(), "something follows \"*** End Patch\"");
    if (patch.files.empty()) return PatchError(1, "the patch is empty");
    return patch;
  }

 private:
  bool Done() const { return at_ >= lines_.size(); }
  std::string_view Line() const { return lines_[at_]; }
  std::size_t Number() const { return at_ + 1; }
  void SkipBlank() {
    while (!Done() && Trim(Line()).empty()) ++at_;
  }

  // What follows a marker, if this line has it.
  std::optional<std::string> After(std::string_view marker) const {
    const std::string_view line = Trim(Line());
    if (!line.starts_with(marker)) return std::nullopt;
    return std::string(Trim(line.substr(marker.size())));
  }
  // A marker of the grammar; a line of a file has a character before it.
  bool AtMarker() const { return Line().starts_with("***"); }

  Result<FilePatch> File() {
    FilePatch file;
    file.patch_line = Number();
    std::optional<std::string> path;
    if ((path = After(kAdd))) {
      file.action = FilePatch::Action::kAdd;
    } else if ((path = After(kDelete))) {
      file.action = FilePatch::Action::kDelete;
    } else if ((path = After(kUpdate))) {
      file.action = FilePatch::Action::kUpdate;
    } else {
      return PatchError(Number(),
                        "\"*** Add File: \", \"*** Delete File: \" or \"*** Update "
                        "File: \" must stand here, not " +
                            Quoted(Line()));
    }
    if (path->empty()) return PatchError(Number(), "the file's name is missing");
    file.path = std::move(*path);
    ++at_;
    if (file.action == FilePatch::Action::kAdd) TRY(Content(file));
    if (file.action == FilePatch::Action::kUpdate) TRY(Hunks(file));
    return file;
  }

  Status Content(FilePatch& file) {
    for (; !Done() && !AtMarker() && !Line().empty(); ++at_) {
      if (!Line().starts_with('+')) {
        return PatchError(Number(), "every line of a new file begins with \"+\"");
      }
      file.content += Line().substr(1);
      file.content += '\n';
    }
    return {};
  }

  Status Hunks(FilePatch& file) {
    if (!Done()) file.move_to = After(kMove);
    if (file.move_to) ++at_;
    if (file.move_to && file.move_to->empty()) {
      return PatchError(Number() - 1, "the file's new name is missing");
    }
    for (SkipBlank(); !Done() && !AtMarker(); SkipBlank()) {
      TRY_ASSIGN(Hunk hunk, OneHunk());
      TRY(count_.AddHunk());
      file.hunks.push_back(std::move(hunk));
    }
    if (file.hunks.empty() && !file.move_to) {
      return PatchError(file.patch_line, "no change of this file follows");
    }
    return {};
  }

  static bool IsAnchor(std::string_view line) { return line == "@@" || line.starts_with("@@ "); }

  Result<Hunk> OneHunk() {
    Hunk hunk;
    hunk.patch_line = Number();
    for (; !Done() && IsAnchor(TrimRight(Line())); ++at_) {
      std::string_view anchor = TrimRight(Line()).substr(2);
      if (anchor.starts_with(' ')) anchor.remove_prefix(1);
      if (!Trim(anchor).empty()) hunk.anchors.push_back(anchor);
    }
    for (; !Done() && !IsAnchor(TrimRight(Line())); ++at_) {
      const std::string_view line = Line();
      if (TrimRight(line) == kEndOfFile) {
        hunk.at_end = true;
        ++at_;
        break;
      }
      if (AtMarker()) break;
      TRY(AddLine(hunk, line));
    }
    // Empty lines before what comes next are not of the file.
    while (!hunk.at_end && !hunk.lines.empty() && hunk.lines.back().text.data() == nullptr) {
      hunk.lines.pop_back();
    }
    if (hunk.lines.empty()) return PatchError(hunk.patch_line, "no lines follow here");
    return hunk;
  }

  Status AddLine(Hunk& hunk, std::string_view line) const {
    if (line.empty()) {
      hunk.lines.push_back({HunkLine::Kind::kContext, {}});  // no data: its blank is missing, too
      return {};
    }
    const std::string_view rest = line.substr(1);
    switch (line[0]) {
      case ' ': hunk.lines.push_back({HunkLine::Kind::kContext, rest}); return {};
      case '-': hunk.lines.push_back({HunkLine::Kind::kRemoved, rest}); return {};
      case '+': hunk.lines.push_back({HunkLine::Kind::kAdded, rest}); return {};
      default: break;
    }
    return PatchError(Number(), "a line of a change begins with \" \", \"+\" or \"-\", not as " +
                                    Quoted(line.substr(0, 80)));
  }

  Lines lines_;
  std::size_t at_ = 0;
  PatchCount count_;
};

// The word that ends a here-document which this line begins; empty if it does not.
std::string_view HereTag(std::string_view line) {
  line = Trim(line);
  if (line.starts_with("apply_patch"))
    line = Trim(line.substr(std::string_view("apply_patch").size()));
  if (!line.starts_with("<<")) return {};
  line.remove_prefix(2);
  if (line.starts_with('-')) line.remove_prefix(1);
  line = Trim(line);
  if (line.size() >= 2 && (line[0] == '\'' || line[0] == '"') && line.back() == line[0]) {
    line = line.substr(1, line.size() - 2);
  }
  return line;
}

std::string_view TrimBlankLines(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !Trim(text.substr(0, end)).empty()) break;
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::string_view WithoutWrapping(std::string_view text) {
  const std::string_view inner = TrimBlankLines(text);
  const std::size_t first = inner.find('\n'), last = inner.rfind('\n');
  if (first == std::string_view::npos || first == last) return text;
  const std::string_view opening = inner.substr(0, first);
  const std::string_view closing = Trim(inner.substr(last + 1));
  const bool fenced = opening.starts_with("```") && closing == "```";
  const std::string_view tag = HereTag(opening);
  if (!fenced && (tag.empty() || closing != tag)) return text;
  return inner.substr(first + 1, last - first);
}

bool IsCodexPatch(std::string_view text) {
  const std::string_view inner = TrimBlankLines(text);
  return Trim(inner.substr(0, inner.find('\n'))) == kBegin;
}

Result<Patch> ParseCodexPatch(std::string_view text) { return Parser(text).Run(); }

}  // namespace cordon::tools
