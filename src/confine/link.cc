// Root::ReadLink and Symlink.
#include "platform/link.h"

#include "base/try.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"

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

// Where a link with this text would lead from `directory`, by text alone.
Result<std::string> LeadsTo(const RootState& root, std::string_view directory,
                            std::string_view target) {
  std::string_view inside = target;
  std::string text;
  if (target.starts_with('/')) {
    TRY_ASSIGN(const path::Request request, path::ParsePosix(target, root.spellings));
    inside = request.text;
  } else if (!directory.empty()) {
    text = std::string(directory) + "/";
  }
  text += inside;
  std::string collapsed = path::CollapseLexically(text);
  if (path::Components(collapsed).Next() == "..") return OutsideError(Violation::kSymlink, target);
  // Uncollapsed: only the file system knows what ".." after a link means.
  return text;
}

}  // namespace

Result<std::string> Root::ReadLink(std::string_view untrusted) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kRead);
  TRY_ASSIGN(const Place place, resolution.Locate(request, FinalSymlink::kNoFollow));
  TRY_ASSIGN(
      const platform::UniqueFd link,
      platform::OpenEntry(place.directory.get(), place.name.c_str(), OpenIntent::kReference));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(link.get()));
  if (stat.type != platform::FileType::kSymlink) return NotALink(place.name);
  TRY_ASSIGN(std::string text, platform::ReadLinkText(link.get()));
  // The very text that is returned must lead inside, whatever the name holds now.
  const std::size_t parent = place.path.size() - place.name.size();
  TRY_ASSIGN(
      const std::string leads_to,
      LeadsTo(*state_, std::string_view(place.path).substr(0, parent > 0 ? parent - 1 : 0), text));
  Resolution target(*state_, Operation::kRead);
  auto opened =
      target.Open(path::TrimTrailing(leads_to), OpenIntent::kReference, FinalSymlink::kFollow);
  if (!opened && opened.error().security_violation()) return std::move(opened.error());
  return text;
}

Status Root::Symlink(std::string_view target, std::string_view untrusted) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kCreate));
  if (target.empty() || target.find('\0') != std::string_view::npos) return BadNameError("");
  Resolution resolution(*state_, Operation::kCreate);
  TRY_ASSIGN(const Place place, resolution.Locate(request, FinalSymlink::kNoFollow));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  const std::size_t parent = place.path.size() - place.name.size();
  TRY_ASSIGN(const std::string leads_to,
             LeadsTo(*state_, std::string_view(place.path).substr(0, parent > 0 ? parent - 1 : 0),
                     target));
  Resolution end(*state_, Operation::kRead);
  auto opened =
      end.Open(path::TrimTrailing(leads_to), OpenIntent::kReference, FinalSymlink::kFollow);
  if (!opened && opened.error().security_violation()) return std::move(opened.error());
  return platform::MakeLink(std::string(target).c_str(), place.directory.get(), place.name.c_str());
}

}  // namespace cordon::confine
