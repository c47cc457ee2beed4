// Root::ReadLink and Symlink.
#include "platform/link.h"

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

Error NotALink(std::string_view name) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "readlink";
  error.component = name;
  error.detail = "this is not a symbolic link";
  return error;
}

// Refuses a link whose text, read from where `place` is, leads out. The error
// names the link, never the text.
Status CheckLeadsInside(const RootState& root, const Place& place, std::string_view target) {
  std::string text;
  if (target.starts_with('/')) {
    auto request = path::ParsePosix(target, root.spellings);
    if (!request) return OutsideError(Violation::kSymlink, place.name);
    text = request->text;
  } else {
    text = place.path.substr(0, place.path.size() - place.name.size());
    text += target;
  }
  const path::Request request = path::TrimTrailing(text);
  Resolution whole(root, Operation::kRead);
  whole.StartAtLink(place.name);
  auto opened = whole.Open(request, OpenIntent::kReference, FinalSymlink::kFollow);
  if (opened) return {};
  switch (opened.error().code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kNotADirectory:
    case ErrorCode::kInvalidPath: break;
    // Refused, or it could not be found out where it leads.
    default: return std::move(opened.error());
  }
  // Nothing is there yet: if its directory is, the file system has spoken on "..".
  Resolution parent(root, Operation::kRead);
  if (parent.Locate(request, FinalSymlink::kFollow)) return {};
  // Links on the way to what is missing have been replaced: only names are left.
  if (path::Components(path::CollapseLexically(whole.path())).Next() == "..") {
    return OutsideError(Violation::kSymlink, place.name);
  }
  return {};
}

}  // namespace

Result<std::string> Root::ReadLink(std::string_view untrusted, const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->ReadLink(untrusted, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kRead);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  TRY_ASSIGN(const platform::UniqueFd link,
             OrStale(expected, platform::OpenEntry(place.directory.get(), place.name.c_str(),
                                                   OpenIntent::kReference)));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(link.get()));
  TRY(CheckObject(expected, stat));
  if (stat.type != platform::FileType::kSymlink) return NotALink(place.name);
  if (platform::IsMagicLink(link.get())) return OutsideError(Violation::kSymlink, place.name);
  TRY_ASSIGN(std::string text, platform::ReadLinkText(link.get()));
  // The very text that is returned must lead inside, whatever the name holds now.
  TRY(CheckLeadsInside(*state_, place, text));
  return text;
}

Status Root::Symlink(std::string_view target, std::string_view untrusted, const Expected& expected,
                     LinkText text) const {
  if (state_->elsewhere) return state_->elsewhere->Symlink(target, untrusted, expected, text);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kCreate));
  if (target.empty() || target.find('\0') != std::string_view::npos) return BadNameError("");
  if (expected.presence == Presence::kPresent) return ExpectedInTheWay();
  Resolution resolution(*state_, Operation::kCreate);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  TRY(CheckNothingCoveredBelow(*state_, place));
  if (text == LinkText::kLeadsInside) TRY(CheckLeadsInside(*state_, place, target));
  return platform::MakeLink(std::string(target).c_str(), place.directory.get(), place.name.c_str());
}

}  // namespace cordon::confine
