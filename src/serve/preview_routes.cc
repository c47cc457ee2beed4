// Previews: where they are, who may see them.
#include <boost/json/array.hpp>
#include <utility>

#include "base/try.h"
#include "preview/previews.h"
#include "serve/found_sandbox.h"
#include "serve/json_body.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/routes.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using Visibility = store::Sandbox::Visibility;

constexpr std::uint64_t kMostSeconds = std::uint64_t{30} * 24 * 3600;
constexpr std::size_t kLongestPath = 2048;

net::HttpResponse NoPreviews() {
  return Problem(501, "UNSUPPORTED", "this server shows no previews");
}

std::string_view VisibilityName(Visibility visibility) {
  return visibility == Visibility::kPublic ? "public" : "private";
}

net::HttpResponse Shown(const Context& context, const store::Sandbox& sandbox,
                        Visibility visibility) {
  const auto url = context.previews->Url(sandbox);
  if (!url) return LifeProblem(url.error());
  return JsonAnswer(200, {{"url", *url},
                          {"port", context.previews->urls().usual_port},
                          {"visibility", VisibilityName(visibility)}});
}

net::HttpResponse GetPreview(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  return Shown(context, *found.value, found.value->visibility);
}

// Views into all of them.
audit::Record RecordOf(const store::Sandbox& sandbox, const Caller& caller, audit::Event event,
                       std::string_view target) {
  audit::Record record;
  record.event = event;
  record.session = caller.token;
  if (sandbox.conversation) record.conversation = *sandbox.conversation;
  record.sandbox = sandbox.id.text();
  record.actor = caller.user;
  record.target = target;
  return record;
}

// Begun and ended in the log: what cannot be recorded does not happen.
Status ChangeVisibility(const Context& context, const store::Sandbox& sandbox, const Caller& caller,
                        Visibility wanted) {
  audit::Record record =
      RecordOf(sandbox, caller, audit::Event::kPreviewVisibility, VisibilityName(wanted));
  record.phase = audit::Phase::kBegin;
  TRY_ASSIGN(record.begun, context.recorder->Append(record, audit::Durability::kOnDisk));
  Status set = context.previews->SetVisibility(sandbox, wanted);
  record.phase = audit::Phase::kEnd;
  if (!set) record.error = set.error().code;
  TRY(context.recorder->Append(record, audit::Durability::kWithKernel));
  return set;
}

net::HttpResponse SetPreview(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const auto visibility = body->Text("visibility");
  if (visibility != "public" && visibility != "private") {
    body->Refuse("visibility", "public or private");
  }
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  const auto wanted = *visibility == "public" ? Visibility::kPublic : Visibility::kPrivate;
  if (const Status set = ChangeVisibility(context, *found.value, call.caller, wanted); !set) {
    return LifeProblem(set.error());
  }
  return Shown(context, *found.value, wanted);
}

net::HttpResponse CreateLink(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  preview::Previews::LinkTerms terms;
  if (const auto port = body->Number("port", UINT16_MAX)) {
    if (*port == 0) body->Refuse("port", "a number from 1 to 65535");
    terms.port = static_cast<std::uint16_t>(*port);
  }
  if (auto path = body->Text("path")) terms.path = std::move(*path);
  if (terms.path.size() > kLongestPath) body->Refuse("path", "this is too long");
  if (const auto seconds = body->Number("seconds", kMostSeconds)) {
    if (*seconds == 0) body->Refuse("seconds", "say for how many seconds from now");
    terms.lasts = std::chrono::seconds(*seconds);
  }
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  const auto link = context.previews->Sign(*found.value, terms);
  if (!link) return LifeProblem(link.error());
  const std::string until = TimeText(link->expires * 1000);
  const std::uint16_t port = terms.port.value_or(context.previews->urls().usual_port);
  const std::string target = "port " + std::to_string(port) + " until " + until;
  const auto recorded = context.recorder->Append(
      RecordOf(*found.value, call.caller, audit::Event::kPreviewLink, target),
      audit::Durability::kOnDisk);
  if (!recorded) return ProblemOf(recorded.error());
  return JsonAnswer(201, {{"url", link->url}, {"expiresAt", until}});
}

net::HttpResponse ListPorts(const Context& context, Call& call) {
  auto used = UseSandbox(context, call);
  if (!used.value) return used.problem;
  const store::Sandbox& sandbox = used.value->sandbox;
  const auto usage = used.value->driver->Inspect(sandbox.id);
  if (!usage) return LifeProblem(usage.error());
  json::array ports;
  for (const std::uint16_t port : usage->ports) {
    std::string url = context.previews->UrlOfPort(sandbox.id, port);
    if (port == context.previews->urls().usual_port) {
      const auto usual = context.previews->Url(sandbox);
      if (!usual) return LifeProblem(usual.error());
      url = *usual;
    }
    ports.push_back({{"port", port}, {"url", url}});
  }
  return JsonAnswer(200, {{"ports", std::move(ports)}});
}

template <typename Work>
Handler WithPreviews(const Context& context, Work work) {
  return Answering([context, work](Call& call) {
    return context.previews ? work(context, call) : NoPreviews();
  });
}

}  // namespace

void AddPreviewRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/preview",
                    "getPreview",
                    "Where its preview is, and who may see it",
                    "sandboxes:read",
                    {{200, "As it is now", {"Preview"}}},
                    WithPreviews(context, GetPreview)});
  routes.push_back({"PUT",
                    "/v1/sandboxes/{id}/preview",
                    "setPreview",
                    "Say who may see its preview",
                    "sandboxes:write",
                    {{200, "As it is now", {"Preview"}}},
                    WithPreviews(context, SetPreview),
                    {},
                    {"PreviewChange"}});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/preview/links",
                    "createPreviewLink",
                    "A signed URL, by which a browser gets in without a token",
                    "sandboxes:write",
                    {{201, "The link, and when it expires", {"PreviewLink"}}},
                    WithPreviews(context, CreateLink),
                    {},
                    {"NewPreviewLink"}});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/ports",
                    "listPorts",
                    "The ports that are listened on inside, and where they can be seen",
                    "sandboxes:read",
                    {{200, "As seen now", {"PortList"}}},
                    WithPreviews(context, ListPorts)});
}

}  // namespace cordon::serve
