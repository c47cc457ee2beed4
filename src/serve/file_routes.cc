// Files of a sandbox by path.
#include <charconv>
#include <utility>

#include "base/try.h"
#include "serve/file_place.h"
#include "serve/file_reading.h"
#include "serve/json_body.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"

namespace cordon::serve {
namespace {

using policy::ToolKind;

constexpr std::uint32_t kMostMode = 0777;
constexpr int kOctal = 8;

std::string ParentOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

Status MakeParents(guard::Guard& guard, const std::string& path) {
  const std::string parent = ParentOf(path);
  if (parent.empty()) return {};
  return guard.MkdirAll(FileCall(ToolKind::kWrite), parent);
}

Result<std::optional<std::uint32_t>> ModeOf(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  const auto text = query.Text("mode");
  if (!text) return std::optional<std::uint32_t>();
  std::uint32_t mode = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, failed] = std::from_chars(text->data(), end, mode, kOctal);
  if (failed == std::errc() && stopped == end && mode <= kMostMode) {
    return std::optional<std::uint32_t>(mode);
  }
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.component = "mode";
  error.detail = "this must be permission bits, as 644";
  return error;
}

Result<net::HttpResponse> WriteFile(FilePlace& place, const Call& call) {
  TRY_ASSIGN(const Conditions conditions, Conditions::Of(call.request.fields));
  guard::WriteOptions options;
  TRY_ASSIGN(options.mode, ModeOf(call));
  options.based_on = conditions.match;
  if (conditions.must_be_new) options.existing = guard::WriteOptions::Existing::kRefuse;
  guard::Guard& guard = *place.guard;
  const auto before = guard.Stat(FileCall(ToolKind::kRead), place.path);
  if (!before && before.error().code != ErrorCode::kNotFound) return before.error();
  if (!before && conditions.match) {
    Error error;
    error.code = ErrorCode::kStaleFile;
    error.detail = "there is no such file";
    return error;
  }
  if (!before) TRY(MakeParents(guard, place.path));
  auto written = guard.Write(FileCall(ToolKind::kWrite), place.path, call.request.body, options);
  if (!written) {
    // Preconditions that do not hold have one status, whichever they were.
    if (conditions.must_be_new && written.error().code == ErrorCode::kAlreadyExists) {
      written.error().code = ErrorCode::kStaleFile;
    }
    return std::move(written.error());
  }
  const std::string tag = TagOf(Sha256(call.request.body));
  net::HttpResponse response =
      JsonAnswer(before ? 200 : 201, {{"size", call.request.body.size()}, {"etag", tag}});
  response.fields.Add("ETag", tag);
  return response;
}

Result<net::HttpResponse> DeletePath(FilePlace& place, const Call& call) {
  TRY_ASSIGN(const Conditions conditions, Conditions::Of(call.request.fields));
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  if (query.Text("recursive") == "true") {
    TRY(place.guard->RemoveAll(FileCall(ToolKind::kDelete), place.path));
  } else {
    guard::RemoveOptions options;
    options.based_on = conditions.match;
    TRY(place.guard->Remove(FileCall(ToolKind::kDelete), place.path, options));
  }
  return net::HttpResponse{204, {}, {}};
}

Result<net::HttpResponse> PatchPath(FilePlace& place, const Call& call) {
  TRY_ASSIGN(JsonBody body, JsonBody::Parse(call.request));
  const auto target = body.Text("moveTo");
  const bool makes = body.Flag("makeDirectory").value_or(false);
  if (target.has_value() == makes) body.Refuse("moveTo", "give either moveTo or makeDirectory");
  TRY(body.Check());
  if (makes) {
    TRY(place.guard->MkdirAll(FileCall(ToolKind::kWrite), place.path));
  } else {
    TRY(MakeParents(*place.guard, *target));
    TRY(place.guard->Rename(FileCall(ToolKind::kWrite), place.path, *target,
                            {guard::RenameOptions::Existing::kRefuse}));
  }
  return net::HttpResponse{204, {}, {}};
}

using Work = Result<net::HttpResponse> (*)(FilePlace& place, const Call& call);
Handler At(const Context& context, Work work) {
  return Answering([context, work](Call& call) {
    auto place = FindPlace(context, call);
    if (!place.value) return place.problem;
    auto response = work(*place.value, call);
    return response ? std::move(*response) : ProblemOf(response.error());
  });
}

}  // namespace

void AddFileRoutes(Routes& routes, const Context& context) {
  constexpr std::string_view kPath = "/v1/sandboxes/{id}/files/{path*}";
  const Handler read = [context](Call& call, const Reply& reply) {
    ReadPath(context, call, reply);
  };
  routes.push_back({"GET",
                    kPath,
                    "readFile",
                    "A file's bytes, all or a Range of them, or a directory's entries",
                    "sandboxes:read",
                    {{200, "Its bytes", {"", "application/octet-stream"}},
                     {200, "Its entries", {"Directory"}},
                     {206, "A part of them", {"", "application/octet-stream"}},
                     {304, "They are what If-None-Match names"}},
                    read});
  routes.push_back({"HEAD",
                    kPath,
                    "statFile",
                    "The same without the bytes",
                    "sandboxes:read",
                    {{200, "It is there"}},
                    read});
  routes.push_back({"PUT",
                    kPath,
                    "writeFile",
                    "Replace or make a file, all at once, with missing directories above it",
                    "sandboxes:write",
                    {{200, "It was replaced", {"Written"}}, {201, "It was made", {"Written"}}},
                    At(context, WriteFile),
                    {{"mode", "string", "Permission bits, as 755"}},
                    {"", "application/octet-stream"}});
  routes.push_back({"DELETE",
                    kPath,
                    "deleteFile",
                    "Remove a file, a link or a directory",
                    "sandboxes:write",
                    {{204, "It is gone"}},
                    At(context, DeletePath),
                    {{"recursive", "string", "true: with everything below it"}}});
  routes.push_back({"PATCH",
                    kPath,
                    "changeFile",
                    "Move it, or make a directory of this name",
                    "sandboxes:write",
                    {{204, "It is done"}},
                    At(context, PatchPath),
                    {},
                    {"FilePatch"}});
}

}  // namespace cordon::serve
