#include "auth/token_file.h"

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/private_file.h"

namespace cordon::auth {

Status WriteTokenFile(std::string_view directory, const std::string& name,
                      std::string_view secret) {
  TRY_ASSIGN(const platform::UniqueFd place,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kMake));
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenPrivateFile(place.get(), name.c_str(),
                                       platform::PrivateAccess::kCreateExclusive));
  std::string line(secret);
  line += '\n';
  TRY(platform::WriteAll(file.get(), line));
  return platform::SyncFile(file.get());
}

}  // namespace cordon::auth
