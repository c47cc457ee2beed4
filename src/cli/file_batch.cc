#include "cli/file_batch.h"

#include <boost/json/parse.hpp>
#include <istream>
#include <ostream>
#include <string>

#include "cli/batch_line.h"
#include "cli/file_request.h"
#include "cli/json_output.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

json::object Answer(guard::Guard& guard, const std::string& line) {
  json::object answer;
  json::error_code parse_error;
  const json::value value = json::parse(line, parse_error);
  if (parse_error || !value.is_object()) {
    answer["success"] = false;
    answer["error"] = ErrorObject(UsageError("the line is not a JSON object"));
    return answer;
  }
  if (const json::value* const id = value.as_object().if_contains("id")) answer["id"] = *id;
  const Result<FileRequest> request = ReadFileRequest(value.as_object());
  if (!request) {
    answer["success"] = false;
    answer["error"] = ErrorObject(request.error());
    return answer;
  }
  const Result<FileResult> result = Perform(guard, *request);
  answer["success"] = result.has_value();
  if (result) {
    answer["data"] = FileResultObject(*request, *result);
  } else {
    answer["error"] = ErrorObject(result.error(), request->path);
  }
  return answer;
}

}  // namespace

ExitStatus RunBatch(guard::Guard& guard, std::istream& in, std::ostream& out) {
  std::string line;
  for (BatchLine read = ReadBatchLine(in, line); read != BatchLine::kEnd;
       read = ReadBatchLine(in, line)) {
    if (read == BatchLine::kTooLong) {
      // Where the next request would begin is not known any more.
      return ReportSetupError(UsageError("a request is longer than 256 MiB"), OutputFormat::kJson);
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    out << Serialize(Answer(guard, line)) << '\n' << std::flush;
    if (!out) return ExitStatus::kCannotEnforce;  // nobody is listening any more
  }
  return ExitStatus::kDone;
}

}  // namespace cordon::cli
