#include "store/place.h"

#include <string_view>

#include "base/try.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/private_file.h"

namespace cordon::store {
namespace {

constexpr std::uint32_t kOthers = 0077, kOthersWrite = 0022;

Error Refuse(ErrorCode code, std::string_view why) {
  Error error;
  error.code = code;
  error.op = "open";
  error.detail = "the store";
  error.detail += why;
  return error;
}

// Looked at and not opened: closing a second descriptor of the file would drop the locks that
// SQLite holds on it elsewhere in this process.
Status CheckFile(int directory, const char* name) {
  TRY_ASSIGN(const platform::FileStat stat, platform::StatEntry(directory, name));
  if (stat.type != platform::FileType::kRegular) {
    return Refuse(ErrorCode::kNotARegularFile, " is not a regular file");
  }
  if ((stat.mode & kOthers) != 0) {
    return Refuse(ErrorCode::kPermissionDenied, " is open to other users; its mode must be 0600");
  }
  if (stat.links != 1)
    return Refuse(ErrorCode::kPermissionDenied, " has a second name (hard link)");
  return {};
}

Status MakeOrCheck(int directory, const char* name) {
  auto made = platform::OpenPrivateFile(directory, name, platform::PrivateAccess::kCreateExclusive);
  if (made) return {};
  if (made.error().code == ErrorCode::kAlreadyExists) return CheckFile(directory, name);
  return std::move(made.error());
}

}  // namespace

Result<Place> PreparePlace(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (path.empty() || path.front() != '/' || slash + 1 == path.size()) {
    return Refuse(ErrorCode::kInvalidPath, " needs an absolute path of a file");
  }
  const std::string parent = slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = path.substr(slash + 1);
  Place place;
  TRY_ASSIGN(place.directory,
             platform::OpenStateDirectory(parent, platform::MissingDirectory::kMake));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(place.directory.get()));
  // A sticky bit is not enough: a log for SQLite to recover from could be laid beside the file.
  if ((stat.mode & kOthersWrite) != 0) {
    return Refuse(ErrorCode::kPermissionDenied,
                  "'s directory can be written to by other users; take that away (chmod go-w)");
  }
  TRY(MakeOrCheck(place.directory.get(), name.c_str()));
  TRY_ASSIGN(const platform::HostDirectory host, platform::OpenHostDirectory(parent));
  place.path = host.real_path;
  if (place.path.back() != '/') place.path += '/';
  place.path += name;
  return place;
}

}  // namespace cordon::store
