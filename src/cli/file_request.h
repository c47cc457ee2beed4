// One operation on files, as `cordon file` takes it from a command line or a line of JSON.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "guard/guard.h"

namespace cordon::cli {

enum class FileOperation { kRead, kWrite, kAppend, kList, kStat, kMkdir, kMove, kDelete };
std::optional<FileOperation> ParseFileOperation(std::string_view name);

struct FileRequest {
  FileOperation operation = FileOperation::kRead;
  std::string path;
  std::string to;       // of a move
  std::string content;  // of a write or an append
  enum class Depth { kOne, kAll };
  Depth depth = Depth::kOne;  // of a delete or a mkdir: with everything below, with parents
};

// Largest file that is read or taken in as a whole.
inline constexpr std::size_t kMaxContentBytes = 64u << 20;

// What came of it: the content that was read, or the entries that are there.
struct FileResult {
  std::string content;
  std::vector<confine::DirectoryEntry> entries;
  std::optional<platform::FileStat> stat;
};

Result<FileResult> Perform(guard::Guard& guard, const FileRequest& request);

// {"op": "write", "path": ..., "content": ..., "to": ..., "recursive": true}. Names and
// content that are not UTF-8 are percent-encoded, with "pathEncoding": "percent".
// Errors: kInvalidArguments; an unknown field is one.
Result<FileRequest> ReadFileRequest(const boost::json::object& object);

boost::json::object FileResultObject(const FileRequest& request, const FileResult& result);

}  // namespace cordon::cli
