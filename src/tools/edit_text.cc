#include "tools/edit_text.h"

#include <algorithm>
#include <utility>

#include "base/unicode.h"
#include "tools/edit_failure.h"
#include "tools/loaded_file.h"
#include "tools/match.h"
#include "tools/pattern_places.h"

namespace cordon::tools {
namespace {

constexpr std::size_t kMaxPlaces = 1'000'000;

Status CheckEdit(const TextEdit& edit) {
  if (edit.old_text.empty()) {
    return EditFailure(ErrorCode::kInvalidArguments, "the text to replace must not be empty").error;
  }
  if (edit.old_text.size() > kMaxOldText) {
    return EditFailure(ErrorCode::kTooLarge, "the text to replace has more than " +
                                                 std::to_string(kMaxOldText) +
                                                 " bytes; quote less, in several edits")
        .error;
  }
  if (edit.form == TextEdit::Form::kLiteral && edit.old_text == edit.new_text) {
    return EditFailure(ErrorCode::kInvalidArguments, "the new text is the same as the old one")
        .error;
  }
  return {};
}

std::vector<std::size_t> LinesOf(std::string_view text, std::span<const Replaced> places) {
  std::vector<std::size_t> positions;
  for (const Replaced& place : places.first(std::min(places.size(), kMaxToldPlaces))) {
    positions.push_back(place.begin);
  }
  return LinesAt(text, positions);
}

// The places of one edit in `text`, as many as it wants.
Attempt<Found> FindEdit(std::string_view text, const TextEdit& edit, const std::stop_token& stop) {
  Found found;
  const std::string new_text = FlatText::WithoutReturns(edit.new_text);
  if (edit.form == TextEdit::Form::kRegex) {
    auto places = FindPattern(text, edit.old_text, new_text, {kMaxPlaces, kMaxWholeFile, stop});
    if (!places) return std::move(places.error());
    found = std::move(*places);
    if (found.count == 0) return NoPatternFailure(edit.old_text);
  } else {
    const std::string old_text = FlatText::WithoutReturns(edit.old_text);
    const std::size_t fit = kMaxWholeFile / std::max<std::size_t>(new_text.size(), 1) + 1;
    found = FindPlaces(text, old_text, new_text, std::min(kMaxPlaces, fit));
    if (found.count == 0) return NoMatchFailure(text, old_text, "the text to replace");
  }
  const std::size_t count = edit.expected == 1 ? found.count : found.disjoint;
  if (edit.expected && count != *edit.expected) {
    return CountFailure(count, LinesOf(text, found.places), *edit.expected);
  }
  if (found.places.size() < found.disjoint) {
    return EditFailure(ErrorCode::kTooLarge,
                       "the text is at " + std::to_string(found.disjoint) +
                           " places, which is more than can be replaced at a time");
  }
  return found;
}

// Positions in a text, moved along by what is replaced before them.
void MoveAlong(std::vector<Replaced>& marks, std::span<const Replaced> places) {
  std::size_t next = 0;
  std::ptrdiff_t moved = 0;
  const auto pass = [&](std::size_t position) {
    while (next < places.size() && places[next].end <= position) {
      const Replaced& place = places[next++];
      moved += static_cast<std::ptrdiff_t>(place.text.size()) -
               static_cast<std::ptrdiff_t>(place.end - place.begin);
    }
    // Inside of what is replaced: where that begins.
    const std::size_t fixed =
        next < places.size() ? std::min(position, places[next].begin) : position;
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(fixed) + moved);
  };
  for (Replaced& mark : marks) {
    mark.begin = pass(mark.begin);
    mark.end = std::max(mark.begin, pass(mark.end));
  }
}

// Where the new texts are, once they are in.
std::vector<Replaced> MarksOf(std::span<const Replaced> places) {
  std::vector<Replaced> marks;
  std::ptrdiff_t moved = 0;
  for (const Replaced& place : places.first(std::min(places.size(), kMaxToldPlaces))) {
    const auto begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place.begin) + moved);
    marks.push_back({begin, begin + place.text.size(), {}});
    moved += static_cast<std::ptrdiff_t>(place.text.size()) -
             static_cast<std::ptrdiff_t>(place.end - place.begin);
  }
  return marks;
}

std::vector<LineRange> RangesOf(std::string_view text, std::span<const Replaced> marks) {
  std::vector<std::size_t> positions;
  for (const Replaced& mark : marks) {
    positions.push_back(std::min(mark.begin, text.size()));
    // The last line is that of the last byte, not that after its end.
    const std::size_t last = mark.end > mark.begin ? mark.end - 1 : mark.end;
    positions.push_back(std::min(std::max(last, mark.begin), text.size()));
  }
  const std::vector<std::size_t> lines = LinesAt(text, positions);
  std::vector<LineRange> ranges;
  for (std::size_t at = 0; at + 1 < lines.size(); at += 2) {
    ranges.push_back({lines[at], lines[at + 1]});
  }
  return ranges;
}

std::size_t SizeAfter(std::size_t size, std::span<const Replaced> places) {
  for (const Replaced& place : places) size += place.text.size();
  for (const Replaced& place : places) size -= place.end - place.begin;
  return size;
}

Failure Numbered(Failure failure, std::size_t index, std::size_t of) {
  if (of < 2) return failure;
  const std::string which = "edit " + std::to_string(index + 1) + " of " + std::to_string(of);
  failure.error.detail = which + ": " + failure.error.detail;
  if (!failure.advice.empty()) {
    failure.advice = "In " + which + ", and so none was made: " + failure.advice;
  }
  failure.data["edit"] = index + 1;
  return failure;
}

}  // namespace

Attempt<EditedText> ApplyEdits(std::string_view text, std::span<const TextEdit> edits,
                               const std::stop_token& stop) {
  if (edits.size() > kMaxEditWork / std::max<std::size_t>(text.size(), 1)) {
    return EditFailure(ErrorCode::kLimitExceeded,
                       "so many edits of so large a file take too long; make fewer at a time");
  }
  FlatText flat(text);
  EditedText edited;
  std::vector<std::vector<Replaced>> marks;
  for (const TextEdit& edit : edits) {
    const auto fail = [&](Failure failure) {
      return Numbered(std::move(failure), marks.size(), edits.size());
    };
    if (Status usable = CheckEdit(edit); !usable) return fail(std::move(usable.error()));
    Attempt<Found> found = FindEdit(flat.text(), edit, stop);
    if (!found) return fail(std::move(found.error()));
    if (SizeAfter(flat.text().size(), found->places) > kMaxWholeFile) {
      return fail(EditFailure(ErrorCode::kTooLarge, "the file would become larger than " +
                                                        std::to_string(kMaxWholeFile) + " bytes"));
    }
    for (auto& earlier : marks) MoveAlong(earlier, found->places);
    marks.push_back(MarksOf(found->places));
    flat.FollowIfAlone(edit.new_text);
    flat.Splice(found->places);
    edited.edits.push_back({found->pass, found->places.size(), {}});
  }
  edited.text = flat.Restore();
  if (edited.text == text) {
    return EditFailure(ErrorCode::kInvalidArguments, "the edits would change nothing");
  }
  // A pattern may match half a character.
  if (!unicode::IsValidUtf8(edited.text)) {
    return EditFailure(ErrorCode::kNotText, "the file would no longer be valid UTF-8");
  }
  for (std::size_t index = 0; index < marks.size(); ++index) {
    edited.edits[index].lines = RangesOf(flat.text(), marks[index]);
  }
  return edited;
}

}  // namespace cordon::tools
