// Root::Probe: what an operation would meet, without doing it.
#include <cerrno>

#include "base/try.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"

namespace cordon::confine {
namespace {

using platform::FileType;
using platform::OpenIntent;

Result<Probed> ProbeObject(const RootState& root, const path::Request& request, Operation operation,
                           Operation judged_as) {
  Resolution resolution(root, judged_as);
  TRY_ASSIGN(platform::UniqueFd fd,
             resolution.Open(request, OpenIntent::kReference, FinalSymlink::kFollow));
  Probed probed;
  probed.exists = true;
  TRY_ASSIGN(probed.stat, platform::StatDescriptor(fd.get()));
  probed.path = path::CollapseLexically(resolution.path());
  probed.held_object = std::move(fd);
  if (operation == Operation::kStat) return probed;
  if (operation == Operation::kList) {
    if (probed.stat.type != FileType::kDirectory) return NotADirectoryError(probed.path);
    TRY(platform::CheckAccess(probed.held_object.get(), platform::AccessKind::kRead));
    return probed;
  }
  const bool reads = operation == Operation::kRead;
  TRY(CheckRegular(root, probed.stat, reads ? WriteStyle::kNone : WriteStyle::kReplaces));
  if (!reads) {
    Resolution holder(root, judged_as);
    TRY_ASSIGN(Place place, holder.Locate(request, FinalSymlink::kFollow));
    TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(place.directory.get()));
    probed.directory = stat.identity;
    probed.held_directory = std::move(place.directory);
  }
  TRY(platform::CheckAccess(probed.held_object.get(),
                            reads ? platform::AccessKind::kRead : platform::AccessKind::kWrite));
  return probed;
}

Result<Probed> ProbePlace(const RootState& root, const path::Request& request, Operation operation,
                          Operation judged_as) {
  const bool follows = operation == Operation::kCreate && !request.must_be_directory;
  Resolution resolution(root, judged_as);
  TRY_ASSIGN(Place place,
             resolution.Locate(request, follows ? FinalSymlink::kFollow : FinalSymlink::kNoFollow));
  Probed probed;
  probed.path = place.path;
  TRY_ASSIGN(const platform::FileStat holder, platform::StatDescriptor(place.directory.get()));
  probed.directory = holder.identity;
  probed.held_directory = std::move(place.directory);
  auto object =
      platform::OpenEntry(probed.held_directory.get(), place.name.c_str(), OpenIntent::kReference);
  if (!object && object.error().os_errno != ENOENT) return std::move(object.error());
  probed.exists = object.has_value();
  if (object) {
    probed.held_object = std::move(*object);
    TRY_ASSIGN(probed.stat, platform::StatDescriptor(probed.held_object.get()));
  }
  switch (operation) {
    case Operation::kCreate:
      if (place.must_be_directory) return NotADirectoryError(place.name);
      if (probed.exists) TRY(CheckRegular(root, probed.stat, WriteStyle::kReplaces));
      break;
    case Operation::kMkdir:
      if (probed.exists) {
        Error error;
        error.code = ErrorCode::kAlreadyExists;
        error.op = "probe";
        error.os_errno = EEXIST;
        error.component = place.name;
        error.detail = "something is there already";
        return error;
      }
      break;
    default:  // delete, rename: something must be there
      if (!object) return ExplainNotFound(root, std::move(object.error()));
      if (place.must_be_directory && probed.stat.type != FileType::kDirectory) {
        return NotADirectoryError(place.name);
      }
      if ((operation == Operation::kRename && probed.stat.type == FileType::kDirectory) ||
          probed.stat.type == FileType::kSymlink) {
        TRY(CheckNothingCoveredBelow(root, place));
      }
      return probed;
  }
  TRY(platform::CheckAccess(probed.held_directory.get(), platform::AccessKind::kWrite));
  return probed;
}

}  // namespace

Expected Probed::AsExpected() const {
  Expected expected;
  expected.presence = exists ? Presence::kPresent : Presence::kAbsent;
  if (exists) expected.object = stat.identity;
  expected.directory = directory;
  expected.name = path.substr(path.rfind('/') + 1);
  return expected;
}

Result<Probed> Root::Probe(std::string_view untrusted, Operation operation,
                           std::optional<Operation> judged_as) const {
  if (state_->elsewhere) return state_->elsewhere->Probe(untrusted, operation, judged_as);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, operation));
  switch (operation) {
    case Operation::kRead:
    case Operation::kWrite:
    case Operation::kList:
    case Operation::kStat:
      return ProbeObject(*state_, request, operation, judged_as.value_or(operation));
    case Operation::kCreate:
    case Operation::kDelete:
    case Operation::kMkdir:
    case Operation::kRename: break;
  }
  return ProbePlace(*state_, request, operation, judged_as.value_or(operation));
}

}  // namespace cordon::confine
