#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/loaded_file.h"
#include "tools/reading.h"
#include "tools/result_object.h"
#include "tools/told_text.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr Field kInput[] = {
    {"paths",
     FieldType::kTextList,
     Need::kRequired,
     "The files, in the order they are wanted.",
     {},
     {},
     100},
    {"line_numbers", FieldType::kFlag, Need::kOptional, "Put a line's number and a tab before it."},
    {"whole", FieldType::kFlag, Need::kOptional,
     "Tell all of every file, up to 10 MiB together: nothing is cut."},
};
constexpr Field kFile[] = {
    {"path", FieldType::kPath, Need::kRequired, ""},
    {"content", FieldType::kText, Need::kOptional, "If it could be read as text."},
    {"end_line", FieldType::kInteger, Need::kOptional, "The last line that is told."},
    {"total_lines", FieldType::kInteger, Need::kOptional, ""},
    {"etag", FieldType::kText, Need::kOptional, ""},
    {"byte_order_mark", FieldType::kFlag, Need::kOptional, "Whether it begins with one."},
    {"error", FieldType::kText, Need::kOptional, "The code, if it could not."},
    {"message", FieldType::kText, Need::kOptional, "And why."},
};
constexpr Field kOutput[] = {
    {"files", FieldType::kObjectList, Need::kRequired, "One for each path.", {}, {}, {}, kFile},
    {"left_out", FieldType::kTextList, Need::kRequired, "Paths for which there was no room."},
};

void AddFailure(json::object& file, Answer& answer, const Error& error, std::string_view path) {
  file["error"] = ErrorCodeName(error.code);
  const std::string message = Printable(error.Message(path));
  file["message"] = message;
  answer.text += message + "\n";
}

Outcome RunReadFiles(Context& context, const Arguments& arguments) {
  const bool whole = arguments.Says("whole");
  WindowLimits room;
  if (whole) room = WholeLimits(room.lines);
  Answer answer;
  json::array files, left_out;
  for (const std::string& path : arguments.Texts("paths")) {
    if (room.characters == 0) {
      left_out.emplace_back(path);
      continue;
    }
    json::object file;
    AddPath(file, "path", path);
    answer.text += "==> " + Printable(path) + " <==\n";
    ReadRequest request;
    request.path = path;
    request.limits = room;
    request.as = ReadRequest::As::kText;
    if (arguments.Says("line_numbers")) request.numbers = LineNumbers::kShown;
    auto read = ReadRange(context, request);
    if (read && whole) {
      if (Status all = CheckWhole(*read->text); !all) read = all.error();
    }
    if (!read) {
      AddFailure(file, answer, read.error(), path);
    } else {
      const ReadText& text = *read->text;
      file["content"] = ValidUtf8(text.content);
      file["end_line"] = text.last;
      file["total_lines"] = text.total;
      file["etag"] = EtagOf(read->digest);
      file["byte_order_mark"] = text.form.has_mark;
      answer.text += TellText(path, text);
      if (!answer.text.ends_with('\n')) answer.text += '\n';
      room.characters -= std::min(room.characters, text.content.size());
    }
    files.emplace_back(std::move(file));
  }
  if (!left_out.empty()) {
    answer.text +=
        "[" + std::to_string(left_out.size()) +
        " files left out: 48000 characters are told at once. Read them in another call]\n";
  }
  answer.data["files"] = std::move(files);
  answer.data["left_out"] = std::move(left_out);
  return answer;
}

}  // namespace

const Tool kReadFiles{
    "read_files",
    "Read several files",
    "Reads several text files at once. One that cannot be read does not spoil the others. "
    "Together at most 48000 characters are told.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kOutput,
    RunReadFiles};

}  // namespace cordon::tools
