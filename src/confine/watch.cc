// Root::Watch.
#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"

namespace cordon::confine {

Result<Root::Watched> Root::Watch(std::string_view untrusted, platform::Watcher& watcher,
                                  std::function<void()> changed, const Expected& expected) const {
  if (state_->elsewhere) return UnsupportedElsewhere("watch");
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kRead);
  TRY_ASSIGN(Place place, OrStale(expected, resolution.Locate(request, FinalSymlink::kFollow)));
  if (place.must_be_directory) return NotADirectoryError(place.name);
  TRY_ASSIGN(const platform::UniqueFd object,
             OrStale(expected, platform::OpenEntry(place.directory.get(), place.name.c_str(),
                                                   platform::OpenIntent::kReference)));
  TRY(CheckDescriptor(expected, object.get()));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(object.get()));
  TRY(CheckRegular(*state_, stat, WriteStyle::kNone));
  TRY(platform::CheckAccess(object.get(), platform::AccessKind::kRead));
  Watched watched;
  TRY_ASSIGN(watched.handle,
             watcher.Watch(place.directory.get(), std::move(place.name), std::move(changed)));
  watched.path = std::move(place.path);
  return watched;
}

}  // namespace cordon::confine
