// Root::Append.
#include <cerrno>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/file.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

// The file to add to; made only where nothing was said to be there.
Result<platform::UniqueFd> OpenToAppend(const RootState& root, const path::Request& request,
                                        const Expected& expected) {
  if (expected.presence == Presence::kAbsent) {
    Resolution creation(root, Operation::kCreate, Operation::kWrite);
    return MakeExpected(creation, request, FinalSymlink::kFollow, expected);
  }
  Resolution resolution(root, Operation::kWrite);
  if (request.must_be_directory) TRY(resolution.Locate(request, FinalSymlink::kNoFollow));
  auto fd = resolution.Open(request, OpenIntent::kAppendExisting, FinalSymlink::kFollow);
  if (!fd && fd.error().os_errno == ENOENT && expected.any()) {
    Resolution creation(root, Operation::kCreate, Operation::kWrite);
    return creation.Open(request, OpenIntent::kAppend, FinalSymlink::kFollow);
  }
  if (!fd) return OrStale(expected, std::move(fd));
  TRY(CheckDescriptor(expected, fd->get()));
  return fd;
}

Status Copy(File& from, Replacement& to, Sha256Stream* digest) {
  std::string chunk(64 * 1024, '\0');
  while (true) {
    TRY_ASSIGN(const std::size_t count, from.Read(chunk));
    if (count == 0) return {};
    const std::string_view bytes = std::string_view(chunk).substr(0, count);
    if (digest != nullptr) digest->Add(bytes);
    TRY(to.Write(bytes));
  }
}

}  // namespace

Status Root::Append(std::string_view untrusted, std::string_view bytes,
                    const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Append(untrusted, bytes, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kWrite));
  TRY_ASSIGN(const platform::UniqueFd fd, OpenToAppend(*state_, request, expected));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(fd.get()));
  TRY(CheckRegular(*state_, stat, WriteStyle::kReplaces));
  if (stat.links <= 1) {
    DropSetUserId(fd.get(), stat);
    return platform::WriteAll(fd.get(), bytes);
  }
  TRY_ASSIGN(Replacement copy, Replace(untrusted, expected));
  TRY_ASSIGN(File old, Open(untrusted, OpenMode::kRead, expected));
  TRY_ASSIGN(const platform::FileStat read, old.Stat());
  if (read.identity != stat.identity || copy.previous().identity != stat.identity) {
    return RaceError();
  }
  if (expected.any()) {
    TRY(Copy(old, copy, nullptr));
  } else {
    // What others add meanwhile is not to be lost with the old inode.
    Sha256Stream copied;
    TRY(Copy(old, copy, &copied));
    copy.expected_.content = copied.Finish();
  }
  TRY(copy.Write(bytes));
  return copy.Commit();
}

}  // namespace cordon::confine
