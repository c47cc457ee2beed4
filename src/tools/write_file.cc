#include "base/base64.h"
#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/loaded_file.h"
#include "tools/parents.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kEncodings[] = {"utf-8", "base64"};
constexpr Field kInput[] = {
    kPathField,
    {"content", FieldType::kText, Need::kRequired, "All that the file shall hold."},
    {"create_parents", FieldType::kFlag, Need::kOptional, "Make missing directories; the default."},
    {"overwrite", FieldType::kFlag, Need::kOptional,
     "Whether a file that is there may be replaced; the default."},
    {"follow_dangling", FieldType::kFlag, Need::kOptional,
     "Whether the file is made where a link leads that leads nowhere yet; the default."},
    {"if_match", FieldType::kText, Need::kOptional,
     "Only if the file's etag is still this: nobody's change is lost."},
    {"mode", FieldType::kText, Need::kOptional, "Permissions in octal digits, such as 0755."},
    {"encoding", FieldType::kText, Need::kOptional, "base64: content is bytes in that form.",
     kEncodings},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"created", FieldType::kFlag, Need::kRequired, "Whether nothing was there before."},
    {"bytes", FieldType::kInteger, Need::kRequired, "Written."},
    {"etag", FieldType::kText, Need::kRequired, "Of what the file holds now."},
};

Error Invalid(std::string_view field, std::string_view detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "write_file";
  error.component = field;
  error.detail = detail;
  return error;
}

Result<std::string> ContentOf(const Arguments& arguments) {
  const std::string& content = arguments.Text("content");
  if (arguments.TextOr("encoding", "utf-8") == "utf-8") return content;
  auto bytes = Base64Decode(content);
  if (!bytes) return Invalid("content", "\"content\" is not base64");
  return *std::move(bytes);
}

Result<std::optional<std::uint32_t>> ModeOf(const Arguments& arguments) {
  if (!arguments.Has("mode")) return std::optional<std::uint32_t>();
  const std::string& text = arguments.Text("mode");
  std::uint32_t mode = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') mode = 01000;
    mode = mode * 8 + static_cast<std::uint32_t>(c - '0');
    if (mode > 0777) break;
  }
  if (text.empty() || mode > 0777) {
    return Invalid("mode", "\"mode\" must be octal digits up to 0777");
  }
  return std::optional(mode);
}

// For where nothing is: a link must not be there either.
Status RefuseLink(Context& context, std::string_view path) {
  const auto entry = context.guard.Stat(context.Looking(), path, confine::FinalSymlink::kNoFollow);
  if (!entry) {
    if (entry.error().code == ErrorCode::kNotFound) return {};
    return entry.error();
  }
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "write_file";
  error.detail = "a link that leads nowhere";
  return error;
}

Outcome RunWriteFile(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  TRY_ASSIGN(const std::string content, ContentOf(arguments));
  guard::WriteOptions options;
  TRY_ASSIGN(options.mode, ModeOf(arguments));
  TRY_ASSIGN(options.based_on, IfMatch(arguments));
  if (arguments.Denies("overwrite")) options.existing = guard::WriteOptions::Existing::kRefuse;
  options.preview = content;
  const auto there = context.guard.Stat(context.call, path);
  // Who does not want it looked at is not asked about writing it, too.
  if (!there && there.error().code == ErrorCode::kConsentDenied) return there.error();
  const bool created = !there && there.error().code == ErrorCode::kNotFound;
  if (created && options.based_on) return there.error();
  // To learn whether the content is what it is taken for is to read it.
  if (options.based_on) TRY(context.guard.OpenRead(context.Looking(), path));
  if (created && arguments.Denies("follow_dangling")) TRY(RefuseLink(context, path));
  MadeParents parents(context);
  if (created && !arguments.Denies("create_parents")) TRY(parents.Make(path));
  TRY(context.guard.Write(context.call, path, content, options));
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["created"] = created;
  answer.data["bytes"] = content.size();
  answer.data["etag"] = EtagOf(Sha256(content));
  answer.text = (created ? "Made " : "Wrote ") + Printable(path) + ", " +
                std::to_string(content.size()) + " bytes.";
  answer.changed = parents.made();
  answer.changed.push_back(path);
  parents.Keep();
  return answer;
}

}  // namespace

const Tool kWriteFile{
    "write_file",
    "Write file",
    "Writes a whole file: all of it or nothing. Permissions of a file that is replaced are kept. "
    "To change a part of a file, edit_file is safer.",
    policy::ToolKind::kWrite,
    Effect::kReplaces,
    Repeat::kSame,
    kInput,
    kOutput,
    RunWriteFile};

}  // namespace cordon::tools
