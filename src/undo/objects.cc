#include "undo/objects.h"

#include <cerrno>
#include <utility>
#include <vector>

#include "base/try.h"
#include "confine/file.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/open.h"
#include "platform/private_file.h"

namespace cordon::undo {
namespace {

using platform::PrivateAccess;

constexpr std::uint32_t kPrivateDirectory = 0700;
constexpr std::string_view kTemporary = "new-";

}  // namespace

Error JournalError(std::string detail) {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "undo journal";
  error.rule = "undo";
  error.detail = std::move(detail);
  return error;
}

Result<Objects> Objects::Open(int directory, const char* name) {
  auto made = platform::MakeDirectory(directory, name, kPrivateDirectory);
  if (!made && made.error().os_errno != EEXIST) return std::move(made.error());
  TRY_ASSIGN(platform::UniqueFd opened,
             platform::OpenEntry(directory, name, platform::OpenIntent::kListDirectory));
  return Objects(std::move(opened));
}

Result<std::uint64_t> Objects::Put(const Digest& digest, std::string_view bytes) const {
  const std::string name = ToHex(digest);
  const int directory = directory_.get();
  const auto there = platform::StatEntry(directory, name.c_str());
  // One that was cut short by a failing disk is written anew.
  if (there && there->type == platform::FileType::kRegular && there->size == bytes.size()) {
    return std::uint64_t{0};
  }
  const std::string temporary = std::string(kTemporary) + std::to_string(platform::RandomNumber());
  TRY_ASSIGN(
      const platform::UniqueFd file,
      platform::OpenPrivateFile(directory, temporary.c_str(), PrivateAccess::kCreateExclusive));
  Status stored = platform::WriteAll(file.get(), bytes);
  if (stored) {
    stored = platform::RenameEntry(directory, temporary.c_str(), directory, name.c_str());
  }
  if (!stored) {
    static_cast<void>(platform::RemoveFile(directory, temporary.c_str()));
    return std::move(stored.error());
  }
  return static_cast<std::uint64_t>(bytes.size());
}

Result<std::string> Objects::Get(const Digest& digest) const {
  const std::string name = ToHex(digest);
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenPrivateFile(directory_.get(), name.c_str(), PrivateAccess::kRead));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(file.get()));
  TRY_ASSIGN(std::string bytes,
             confine::ReadToEnd(file.get(), static_cast<std::size_t>(stat.size)));
  if (SameDigest(Sha256(bytes), digest)) return bytes;
  return JournalError("a kept content is damaged: it is not what was stored");
}

Result<std::uint64_t> Objects::SizeOf(const Digest& digest) const {
  TRY_ASSIGN(const platform::FileStat stat,
             platform::StatEntry(directory_.get(), ToHex(digest).c_str()));
  return stat.size;
}

Status Objects::Retain(const std::set<Digest>& wanted) const {
  std::vector<std::string> doomed;
  TRY_ASSIGN(const platform::UniqueFd listing, platform::ReopenDirectory(directory_.get()));
  TRY(platform::ReadEntries(listing.get(), [&](std::string_view name, platform::FileType) {
    const std::optional<Digest> digest = FromHex(name);
    if (digest ? !wanted.contains(*digest) : name.starts_with(kTemporary)) {
      doomed.emplace_back(name);
    }
    return platform::ReadMore::kYes;
  }));
  for (const std::string& name : doomed) {
    TRY(platform::RemoveFile(directory_.get(), name.c_str()));
  }
  return {};
}

}  // namespace cordon::undo
