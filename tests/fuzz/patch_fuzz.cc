// Both patch grammars and the match engine on any bytes: they never crash, what they say
// of a place is inside the text, and what is replaced is what was quoted.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tools/edit_text.h"
#include "tools/line_search.h"
#include "tools/match.h"
#include "tools/patch/apply.h"
#include "tools/patch/codex_patch.h"
#include "tools/patch/unified_patch.h"

namespace {

using namespace cordon::tools;  // NOLINT(google-build-using-namespace): a program of one file

[[noreturn]] void Broken(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void CheckPatch(const cordon::Result<Patch>& patch, std::string_view text) {
  if (!patch) {
    if (patch.error().detail.find(" of the patch: ") == std::string::npos) Broken("no place named");
    return;
  }
  if (patch->files.empty()) Broken("a patch of nothing");
  for (const FilePatch& file : patch->files) {
    if (file.path.empty()) Broken("a file without a name");
    if (file.hunks.empty()) continue;
    const auto patched = ApplyHunks(text, file.hunks);
    if (patched && patched->hunks.size() != file.hunks.size()) Broken("a hunk is lost");
  }
}

void CheckFlat(std::string_view text) {
  if (FlatText(text).Restore() != text) Broken("line ends are lost");
}

void CheckMatch(std::string_view text, std::string_view old_text, std::string_view new_text) {
  const std::string flat = FlatText::WithoutReturns(text);
  const std::string wanted = FlatText::WithoutReturns(old_text);
  const std::string next = FlatText::WithoutReturns(new_text);
  if (wanted.empty()) return;
  const Found found = FindPlaces(flat, wanted, next, 1000);
  if (found.disjoint > found.count || found.places.size() > found.disjoint) Broken("miscounted");
  std::size_t at = 0;
  for (const Replaced& place : found.places) {
    if (place.begin < at || place.end < place.begin || place.end > flat.size()) Broken("outside");
    at = place.end;
    if (found.pass != MatchPass::kExact) continue;
    if (flat.substr(place.begin, place.end - place.begin) != wanted) Broken("another text");
  }
  FlatText edited(text);
  edited.Splice(found.places);
  CheckFlat(edited.Restore());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Three pieces, with a byte that no text has between them.
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t first = all.find('\xFF');
  const std::string_view text = all.substr(0, first);
  const std::string_view rest =
      first == std::string_view::npos ? std::string_view() : all.substr(first + 1);
  const std::size_t second = rest.find('\xFF');
  const std::string_view old_text = rest.substr(0, second);
  const std::string_view new_text =
      second == std::string_view::npos ? std::string_view() : rest.substr(second + 1);
  CheckFlat(all);
  CheckMatch(text, old_text, new_text);
  const FlatText patch(WithoutWrapping(rest));
  CheckPatch(ParseCodexPatch(patch.text()), text);
  CheckPatch(ParseUnifiedPatch(patch), text);
  const TextEdit edits[] = {
      {old_text, new_text, TextEdit::Form::kLiteral, std::nullopt},
      {old_text.substr(0, 64), new_text, TextEdit::Form::kRegex, std::nullopt},
  };
  for (const TextEdit& edit : edits) (void)ApplyEdits(text, {&edit, 1}).has_value();
  return 0;
}
