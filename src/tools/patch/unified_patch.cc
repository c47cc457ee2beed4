#include "tools/patch/unified_patch.h"

#include <charconv>
#include <utility>

#include "base/try.h"
#include "tools/line_search.h"
#include "tools/patch/diff_header.h"
#include "tools/patch/git_names.h"

namespace cordon::tools {
namespace {

Error Unsupported(std::size_t line, std::string_view what) {
  Error error = PatchError(line, what);
  error.code = ErrorCode::kUnsupported;
  return error;
}

// "-A,B +C,D @@".
struct HunkNumbers {
  std::size_t old_start = 0, old_count = 1, new_start = 0, new_count = 1;
};

bool TakeNumber(std::string_view& text, std::size_t& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool TakeRange(std::string_view& text, char sign, std::size_t& start, std::size_t& count) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  if (!TakeNumber(text, start)) return false;
  if (!text.starts_with(',')) return true;
  text.remove_prefix(1);
  return TakeNumber(text, count);
}

std::optional<HunkNumbers> ParseNumbers(std::string_view line) {
  HunkNumbers numbers;
  line.remove_prefix(2);
  line = line.substr(IndentOf(line).size());
  if (!TakeRange(line, '-', numbers.old_start, numbers.old_count)) return std::nullopt;
  line = line.substr(IndentOf(line).size());
  if (!TakeRange(line, '+', numbers.new_start, numbers.new_count)) return std::nullopt;
  if (!Trim(line).starts_with("@@")) return std::nullopt;
  return numbers;
}

class Parser {
 public:
  explicit Parser(const FlatText& text) : text_(text), lines_(text.text()) {}

  Result<Patch> Run() {
    Patch patch;
    while (SkipToFile()) {
      TRY_ASSIGN(DiffHeader header, ReadHeader());
      TRY_ASSIGN(FilePatch file, ReadFile(header));
      TRY(count_.AddFile());
      patch.files.push_back(std::move(file));
    }
    if (patch.files.empty()) {
      return PatchError(1,
                        "no file begins here: neither \"*** Begin Patch\" nor \"diff --git\" "
                        "nor \"--- \" with \"+++ \" after it");
    }
    return patch;
  }

 private:
  bool Done() const { return at_ >= lines_.size(); }
  std::string_view Line() const { return lines_[at_]; }
  std::size_t Number() const { return at_ + 1; }
  bool AtNames() const {
    return Line().starts_with("--- ") && at_ + 1 < lines_.size() &&
           lines_[at_ + 1].starts_with("+++ ");
  }
  bool AtFile() const { return Line().starts_with("diff --git ") || AtNames(); }
  bool SkipToFile() {
    while (!Done() && !AtFile()) ++at_;
    return !Done();
  }
  std::optional<std::string_view> After(std::string_view marker) const {
    if (!Line().starts_with(marker)) return std::nullopt;
    return Line().substr(marker.size());
  }

  Result<bool> Runnable(std::string_view mode) const {
    mode = Trim(mode);
    if (mode == "100644" || mode == "100755") return mode == "100755";
    return Unsupported(Number(), "only regular files can be patched; use mode 100644 or 100755");
  }
  Result<std::string> Name(std::string_view text) const {
    auto name = ParseDiffName(text);
    if (!name || name->empty()) return PatchError(Number(), "this file name is not well formed");
    return std::move(*name);
  }

  Result<DiffHeader> ReadHeader() {
    DiffHeader header;
    header.patch_line = Number();
    if (const auto names = After("diff --git ")) {
      header.git_names = ParseGitNames(*names);
      for (++at_; !Done() && !AtNames() && !Line().starts_with("diff --git "); ++at_) {
        TRY_ASSIGN(const bool known, ReadExtended(header));
        if (!known) break;
      }
    }
    if (!Done() && AtNames()) {
      header.crlf = text_.IsCrLf(at_);
      TRY_ASSIGN(header.old_name, Name(Line().substr(4)));
      ++at_;
      TRY_ASSIGN(header.new_name, Name(Line().substr(4)));
      ++at_;
      DropPrefixes(*header.old_name, *header.new_name);
    }
    return header;
  }

  // False: no such line.
  Result<bool> ReadExtended(DiffHeader& header) {
    if (const auto mode = After("new file mode ")) {
      header.is_new = true;
      TRY_ASSIGN(header.runnable, Runnable(*mode));
      return true;
    }
    if (const auto mode = After("deleted file mode ")) {
      header.is_deleted = true;
      TRY(Runnable(*mode));
      return true;
    }
    if (const auto mode = After("old mode ")) {
      TRY_ASSIGN(header.was_runnable, Runnable(*mode));
      return true;
    }
    if (const auto mode = After("new mode ")) {
      TRY_ASSIGN(header.runnable, Runnable(*mode));
      return true;
    }
    if (const auto name = After("rename from ")) {
      TRY_ASSIGN(header.rename_from, Name(*name));
      return true;
    }
    if (const auto name = After("rename to ")) {
      TRY_ASSIGN(header.rename_to, Name(*name));
      return true;
    }
    if (After("copy from ") || After("copy to ")) {
      return Unsupported(Number(), "copies are not taken; add the new file with its content");
    }
    if (After("GIT binary patch") || After("Binary files ")) {
      return Unsupported(Number(), "binary files cannot be patched");
    }
    return After("index ") || After("similarity index ") || After("dissimilarity index ");
  }

  Result<FilePatch> ReadFile(const DiffHeader& header) {
    TRY_ASSIGN(FilePatch file, NameFile(header));
    while (!Done() && Line().starts_with("@@")) {
      TRY_ASSIGN(Hunk hunk, ReadHunk());
      TRY(count_.AddHunk());
      file.hunks.push_back(std::move(hunk));
    }
    if (!Done() && (Line().starts_with("Binary files ") || Line().starts_with("GIT binary"))) {
      return Unsupported(Number(), "binary files cannot be patched");
    }
    if (file.action == FilePatch::Action::kAdd) TRY(MakeContent(file, header));
    const bool nothing = file.action == FilePatch::Action::kUpdate && file.hunks.empty() &&
                         !file.move_to && !file.runnable;
    if (nothing) return PatchError(file.patch_line, "no change of this file follows");
    return file;
  }

  // The only hunk of a new file is its content.
  Status MakeContent(FilePatch& file, const DiffHeader& header) {
    if (file.hunks.size() > 1) {
      return PatchError(file.hunks[1].patch_line, "a new file has one hunk");
    }
    for (const Hunk& hunk : file.hunks) {
      std::size_t line = hunk.patch_line;  // the index of the line after it
      for (const HunkLine& one : hunk.lines) {
        if (one.kind != HunkLine::Kind::kAdded) {
          return PatchError(line + 1, "a new file can only have lines with \"+\"");
        }
        file.content += one.text;
        file.content += text_.IsCrLf(line++) && !header.crlf ? "\r\n" : "\n";
      }
      if (!hunk.new_end_missing) continue;
      if (file.content.ends_with('\n')) file.content.pop_back();
      if (file.content.ends_with('\r')) file.content.pop_back();
    }
    file.hunks.clear();
    return {};
  }

  Result<Hunk> ReadHunk() {
    Hunk hunk;
    hunk.patch_line = Number();
    const auto numbers = ParseNumbers(Line());
    if (!numbers && Line().find_first_of("0123456789") < Line().find("@@", 2)) {
      return PatchError(Number(),
                        "a hunk begins as \"@@ -1,2 +1,3 @@\", or as \"@@ @@\" if the "
                        "lines' numbers are not known");
    }
    ++at_;
    if (numbers) {
      hunk.old_start = numbers->old_start;
      TRY(ReadCounted(hunk, *numbers));
    } else {
      TRY(ReadUncounted(hunk));
    }
    if (hunk.lines.empty()) return PatchError(hunk.patch_line, "no lines follow here");
    return hunk;
  }

  // Takes one line of a hunk. False: it is none.
  Result<bool> TakeLine(Hunk& hunk) {
    const std::string_view line = Line();
    if (line.starts_with('\\')) {
      if (hunk.lines.empty()) return PatchError(Number(), "this line is about none before it");
      const HunkLine::Kind kind = hunk.lines.back().kind;
      if (kind != HunkLine::Kind::kAdded) hunk.old_end_missing = true;
      if (kind != HunkLine::Kind::kRemoved) hunk.new_end_missing = true;
      ++at_;
      return true;
    }
    const char sign = line.empty() ? ' ' : line[0];
    const std::string_view rest = line.empty() ? line : line.substr(1);
    if (sign == ' ') {
      hunk.lines.push_back({HunkLine::Kind::kContext, rest});
    } else if (sign == '-') {
      hunk.lines.push_back({HunkLine::Kind::kRemoved, rest});
    } else if (sign == '+') {
      hunk.lines.push_back({HunkLine::Kind::kAdded, rest});
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  Status ReadCounted(Hunk& hunk, const HunkNumbers& numbers) {
    std::size_t old_count = 0, new_count = 0;
    const auto wrong = [&] {
      return PatchError(hunk.patch_line,
                        "the hunk's header counts " + std::to_string(numbers.old_count) +
                            " old and " + std::to_string(numbers.new_count) +
                            " new lines, which is not what follows; correct it, or write "
                            "\"@@ @@\" without numbers");
    };
    while (old_count < numbers.old_count || new_count < numbers.new_count) {
      if (Done()) return wrong();
      const std::size_t before = hunk.lines.size();
      TRY_ASSIGN(const bool taken, TakeLine(hunk));
      if (!taken) return wrong();
      if (hunk.lines.size() == before) continue;  // about the line's end
      const HunkLine::Kind kind = hunk.lines.back().kind;
      old_count += kind != HunkLine::Kind::kAdded ? 1 : 0;
      new_count += kind != HunkLine::Kind::kRemoved ? 1 : 0;
    }
    if (old_count > numbers.old_count || new_count > numbers.new_count) return wrong();
    if (!Done() && Line().starts_with('\\')) TRY(TakeLine(hunk));
    // More of the same, which is neither a signature nor the next file.
    const bool more = !Done() && !Line().empty() && !AtFile() && Trim(Line()) != "--" &&
                      (Line()[0] == '+' || Line()[0] == '-' || Line()[0] == ' ');
    if (more) return wrong();
    return {};
  }

  Status ReadUncounted(Hunk& hunk) {
    while (!Done() && !AtFile()) {
      TRY_ASSIGN(const bool taken, TakeLine(hunk));
      if (!taken) break;
    }
    // Empty lines before what comes next are not of the file.
    while (!hunk.lines.empty() && hunk.lines.back().kind == HunkLine::Kind::kContext &&
           hunk.lines.back().text.empty()) {
      hunk.lines.pop_back();
    }
    return {};
  }

  const FlatText& text_;
  Lines lines_;
  std::size_t at_ = 0;
  PatchCount count_;
};

}  // namespace

Result<Patch> ParseUnifiedPatch(const FlatText& text) { return Parser(text).Run(); }

}  // namespace cordon::tools
