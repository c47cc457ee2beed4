#include "base/base64.h"
#include "base/try.h"
#include "base/unicode.h"
#include "tools/all.h"
#include "tools/loaded_file.h"
#include "tools/reading.h"
#include "tools/result_object.h"
#include "tools/told_text.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr std::string_view kEncodings[] = {"auto",     "text",    "utf-8",  "utf-16le",
                                           "utf-16be", "latin-1", "base64", "media"};
constexpr Field kInput[] = {
    kPathField,
    {"start_line", FieldType::kInteger, Need::kOptional,
     "First line, from 1. Negative: that many lines before the end."},
    {"end_line", FieldType::kInteger, Need::kOptional, "Last line, included. -1 is the last."},
    {"offset", FieldType::kInteger, Need::kOptional,
     "Lines to pass over, instead of start_line. Negative: that many lines before the end."},
    {"limit", FieldType::kInteger, Need::kOptional, "At most so many lines.", {}, 1, 2000},
    {"line_numbers", FieldType::kFlag, Need::kOptional, "Put a line's number and a tab before it."},
    {"encoding", FieldType::kText, Need::kOptional,
     "What to take the bytes for; text: whatever text they are, and nothing else; base64 and "
     "media tell them as they are.",
     kEncodings},
    kWholeField,
};

constexpr Field kNext[] = {
    {"path", FieldType::kPath, Need::kRequired, ""},
    {"start_line", FieldType::kInteger, Need::kRequired, ""},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"content", FieldType::kText, Need::kOptional, "The lines, or base64. Not there for media."},
    {"start_line", FieldType::kInteger, Need::kOptional, "Of what is told."},
    {"end_line", FieldType::kInteger, Need::kOptional, "Of what is told."},
    {"total_lines", FieldType::kInteger, Need::kOptional, "Of the whole file."},
    {"truncated", FieldType::kFlag, Need::kRequired, "Whether a limit left something out."},
    {"cut_lines", FieldType::kInteger, Need::kOptional, "How many lines were too long."},
    {"next", FieldType::kObject, Need::kOptional, "The call that goes on.", {}, {}, {}, kNext},
    {"size", FieldType::kInteger, Need::kRequired, "Of the whole file, in bytes."},
    {"etag", FieldType::kText, Need::kRequired, "Names the content; give it as if_match."},
    {"encoding", FieldType::kText, Need::kOptional, "Of the file."},
    {"byte_order_mark", FieldType::kFlag, Need::kOptional, "Whether it begins with one."},
    {"line_endings", FieldType::kText, Need::kOptional, "lf, crlf, mixed or none."},
    {"mime_type", FieldType::kText, Need::kOptional, "Of what is no text."},
};

Error Conflict(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "read_file";
  error.detail = std::move(detail);
  return error;
}

Result<ReadRequest> RequestOf(const Arguments& arguments) {
  ReadRequest request;
  request.path = arguments.Text("path");
  if (arguments.Has("start_line") && arguments.Has("offset")) {
    return Conflict("\"start_line\" and \"offset\" exclude each other");
  }
  if (arguments.Has("end_line") && arguments.Has("limit")) {
    return Conflict("\"end_line\" and \"limit\" exclude each other");
  }
  const std::int64_t offset = arguments.IntegerOr("offset", 0);
  request.first = arguments.IntegerOr("start_line", offset < 0 ? offset : offset + 1);
  if (request.first == 0) request.first = 1;
  request.last = arguments.Integer("end_line");
  if (request.last == 0) return Conflict("\"end_line\" counts from 1");
  request.limits.lines = arguments.IntegerOr("limit", request.limits.lines);
  if (arguments.Says("line_numbers")) request.numbers = LineNumbers::kShown;
  if (arguments.Says("whole")) request.limits = WholeLimits(request.limits.lines);
  const std::string_view encoding = arguments.TextOr("encoding", "auto");
  if (encoding == "text") request.as = ReadRequest::As::kText;
  if (encoding == "base64" || encoding == "media") request.as = ReadRequest::As::kBytes;
  request.encoding = ParseEncoding(encoding);
  if (request.encoding) request.as = ReadRequest::As::kText;
  return request;
}

void AddContent(json::object& data, std::string_view content) {
  if (unicode::IsValidUtf8(content)) {
    data["content"] = content;
  } else {
    data["content"] = ValidUtf8(content);
  }
}

void AddText(Answer& answer, const ReadRequest& request, const ReadText& text, Wanted wanted) {
  json::object& data = answer.data;
  AddContent(data, text.content);
  data["start_line"] = text.first;
  data["end_line"] = text.last;
  data["total_lines"] = text.total;
  const std::int64_t last_wanted =
      std::min(request.last && *request.last > 0 ? *request.last : text.total, text.total);
  const bool more = text.last < last_wanted;
  data["truncated"] = more || text.cut_lines > 0;
  if (text.cut_lines > 0) data["cut_lines"] = text.cut_lines;
  if (more) {
    json::object next;
    AddPath(next, "path", request.path);
    next["start_line"] = text.last + 1;
    data["next"] = std::move(next);
  }
  data["encoding"] = EncodingName(text.form.encoding);
  data["byte_order_mark"] = text.form.has_mark;
  data["line_endings"] = LineEndsName(text.form.ends);
  if (wanted != Wanted::kWords) answer.text = TellText(request.path, text);
}

Outcome RunReadFile(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(ReadRequest request, RequestOf(arguments));
  if (context.wanted == Wanted::kWords) request.digests = ReadRequest::Digests::kNone;
  TRY_ASSIGN(ReadResult read, ReadRange(context, request));
  if (arguments.Says("whole") && read.text) TRY(CheckWhole(*read.text));
  Answer answer{json::object(context.memory), {}};
  answer.data.reserve(std::size(kOutput));
  AddPath(answer.data, "path", request.path);
  answer.data["size"] = read.size;
  if (context.wanted != Wanted::kWords) answer.data["etag"] = EtagOf(read.digest);
  if (read.text) {
    AddText(answer, request, *read.text, context.wanted);
    return answer;
  }
  answer.data["truncated"] = false;
  answer.data["mime_type"] = read.mime_type;
  if (arguments.Text("encoding") == "base64") {
    answer.data["encoding"] = "base64";
    answer.data["content"] = Base64Encode(read.bytes);
    answer.text = Base64Encode(read.bytes);
    return answer;
  }
  answer.text = "[" + read.mime_type + ", " + std::to_string(read.size) + " bytes]";
  answer.attachments.push_back({std::move(read.mime_type), std::move(read.bytes)});
  return answer;
}

}  // namespace

const Tool kReadFile{
    "read_file",
    "Read file",
    "Reads a file. Text comes with its range of lines, how many there are, and the call that "
    "goes on when it was cut: at most 2000 lines, 2000 characters a line, 48000 in all. Images "
    "and other binary content come as such. The etag names the content: give it as if_match "
    "when you change the file, and nobody's change in between is lost.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kOutput,
    RunReadFile};

}  // namespace cordon::tools
