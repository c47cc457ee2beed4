// From a sandbox to this machine.
#include <charconv>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/archive_inflow.h"
#include "cli/report.h"
#include "cli/sandbox_copy.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "remote/url_text.h"

namespace cordon::cli {
namespace {

using confine::Root;

constexpr std::chrono::seconds kPatience{60};
constexpr std::string_view kJson = "application/json";
constexpr std::uint32_t kUsualMode = 0644;

std::string FileOf(const SandboxPath& place) {
  return "/v1/sandboxes/" + place.sandbox + "/files/" + remote::UrlPath(place.path);
}

// A directory's entries come as JSON, which no file does.
bool IsListing(const net::HttpResponse& head) {
  const auto type = head.fields.Find("Content-Type");
  return type && type->starts_with(kJson);
}

std::uint32_t ModeOf(const net::HttpResponse& head) {
  const auto text = head.fields.Find("Cordon-Mode");
  if (!text) return kUsualMode;
  std::uint32_t mode = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), mode, 8);
  return failed == std::errc() && end == text->data() + text->size() ? mode & 0777U : kUsualMode;
}

Result<Root> OpenHere(const std::string& directory) {
  confine::RootOptions options;
  options.hard_links = policy::HardLinks::kReadOnly;
  options.mounts = policy::Mounts::kAllow;
  return Root::OpenAmbient(directory, options, confine::AmbientAuthority::OfThisProcess());
}

// Where something goes: a directory that is there, and the name in it; "" is the directory itself.
struct Goal {
  Root directory;
  std::string name;
};

Result<Goal> GoalOf(const std::string& to, const std::string& name) {
  auto there = OpenHere(to);
  if (there) return Goal{std::move(*there), name};
  if (there.error().code != ErrorCode::kNotFound &&
      there.error().code != ErrorCode::kNotADirectory) {
    return UsageError(Quoted(to) + ": " + there.error().detail);
  }
  std::string last = LastName(to);
  const std::size_t at = to.rfind(last);
  if (last.empty()) return UsageError(Quoted(to) + " names no file or directory");
  const std::string parent = at == 0 ? "." : to.substr(0, at);
  auto above = OpenHere(parent);
  if (!above) {
    return UsageError("there is no directory " + Quoted(parent) + " to put it in; make it first");
  }
  return Goal{std::move(*above), std::move(last)};
}

// Every piece to `take`.
template <typename Take>
Status Drain(net::HttpIncoming& incoming, Progress& progress, Take take) {
  std::uint64_t bytes = 0;
  while (true) {
    TRY_ASSIGN(const auto piece, incoming.Next(kPatience));
    if (!piece) return {};
    TRY(take(*piece));
    bytes += piece->size();
    progress.Tell(SizeText(bytes));
  }
}

Result<Copied> DownloadFile(net::HttpIncoming& incoming, const Goal& goal, Progress& progress) {
  TRY_ASSIGN(confine::Replacement file, goal.directory.Replace(goal.name));
  TRY(file.SetMode(ModeOf(incoming.head())));
  Copied copied;
  TRY(Drain(incoming, progress, [&](const std::string& piece) {
    copied.bytes += piece.size();
    return file.Write(piece);
  }));
  TRY(file.Commit());
  copied.files = 1;
  return copied;
}

Result<Copied> DownloadTree(const remote::ApiClient& client, const SandboxPath& from,
                            const Goal& goal, Progress& progress) {
  TRY_ASSIGN(const auto incoming, client.Open("/v1/sandboxes/" + from.sandbox + "/archive/" +
                                              remote::UrlPath(from.path)));
  std::optional<Root> inner;
  if (!goal.name.empty()) {
    TRY(goal.directory.MkdirAll(goal.name));
    TRY_ASSIGN(inner, goal.directory.Subroot(goal.name, goal.directory.options()));
  }
  ArchiveInflow inflow(inner ? *inner : goal.directory);
  TRY(Drain(*incoming, progress, [&](const std::string& piece) { return inflow.Take(piece); }));
  TRY(inflow.Finish());
  return Copied{inflow.files(), inflow.bytes(), inflow.left_out()};
}

}  // namespace

Result<PathKind> KindOf(const remote::ApiClient& client, const SandboxPath& place) {
  // One byte is asked for: a file may be large.
  const auto found = client.Open(FileOf(place), {{"Range", "bytes=0-0"}});
  if (found) return IsListing((*found)->head()) ? PathKind::kDirectory : PathKind::kFile;
  const Error& error = found.error();
  if (error.op != "server") return error;
  if (error.code == ErrorCode::kNotFound) return PathKind::kMissing;
  // An empty file has no such byte.
  if (error.detail.find("answers 416") != std::string::npos) return PathKind::kFile;
  return error;
}

Result<Copied> Download(const remote::ApiClient& client, const SandboxPath& from,
                        const std::string& to, Progress& progress) {
  auto incoming = client.Open(FileOf(from));
  if (!incoming) {
    Error error = incoming.error();
    if (error.code == ErrorCode::kNotFound && error.op == "server") {
      error.detail = "there is no " + Quoted(from.path) +
                     " in the sandbox; look with 'cordon "
                     "sandbox exec " +
                     from.sandbox + " -- ls'";
    }
    return error;
  }
  TRY_ASSIGN(const Goal goal, GoalOf(to, LastName(from.path)));
  if (!IsListing((*incoming)->head())) return DownloadFile(**incoming, goal, progress);
  return DownloadTree(client, from, goal, progress);
}

}  // namespace cordon::cli
