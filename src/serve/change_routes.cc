// What tools changed in a sandbox's files: listed, shown, taken back.
#include <boost/json/array.hpp>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "serve/change_diff.h"
#include "serve/found_sandbox.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/workplaces.h"
#include "tools/all.h"
#include "tools/result_object.h"
#include "tools/undo_report.h"
#include "undo/journal.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostListed = 1000;
constexpr std::size_t kMostFiles = 50;

struct Place {
  provision::Sandboxes::Lease lease;
  std::shared_ptr<guard::Guard> guard;
};

OrProblem<Place> PlaceOf(const Context& context, const Call& call) {
  auto used = UseSandbox(context, call);
  if (!used.value) return {std::nullopt, std::move(used.problem)};
  auto guard = context.workplaces->GuardOf(*used.value);
  if (!guard) return {std::nullopt, ProblemOf(guard.error())};
  if ((*guard)->journal() == nullptr) {
    return {std::nullopt, Problem(501, "UNSUPPORTED", "changes are not kept on this server")};
  }
  return {Place{std::move(*used.value), std::move(*guard)}, {}};
}

void Rename(json::object& object, std::string_view from, std::string_view to) {
  const auto found = object.find(from);
  if (found == object.end()) return;
  json::value value = std::move(found->value());
  object.erase(found);
  object[to] = std::move(value);
}

// As the tool history tells it, in the words of this API.
json::object ChangeObject(json::object object) {
  const std::int64_t time = object.at("time_ns").to_number<std::int64_t>();
  object["time"] = TimeText(time / 1'000'000);
  for (const std::string_view name : {"time_ns", "session", "path_encoding", "to_encoding"}) {
    object.erase(name);
  }
  Rename(object, "not_undoable", "notUndoable");
  Rename(object, "undone_by", "undoneBy");
  return object;
}

net::HttpResponse FailureProblem(const tools::Failure& failure) {
  const Error& error = failure.error;
  if (error.code == ErrorCode::kNotFound) return NoSuchObject();
  if (error.code == ErrorCode::kStaleFile) {
    return Problem(409, "STALE_FILE", tools::MessageOf(failure));
  }
  // Of this one change, not of the server.
  if (error.code == ErrorCode::kUnsupported) {
    return Problem(409, "UNSUPPORTED", tools::MessageOf(failure));
  }
  return ProblemOf(error);
}

net::HttpResponse List(const Context& context, Call& call) {
  const auto query = Query::Parse(call.request.query);
  if (!query) return ProblemOf(query.error());
  const auto limit = query->NumberOr("limit", 200, 1, kMostListed);
  if (!limit) return ProblemOf(limit.error());
  const auto place = PlaceOf(context, call);
  if (!place.value) return place.problem;
  auto outcome = tools::Run(tools::kHistory, *place.value->guard,
                            {{"limit", static_cast<std::int64_t>(*limit)}});
  if (!outcome) return FailureProblem(outcome.error());
  json::array changes;
  for (json::value& one : outcome->data.at("operations").as_array()) {
    changes.push_back(ChangeObject(std::move(one.as_object())));
  }
  return JsonAnswer(200, {{"changes", std::move(changes)}});
}

std::optional<undo::OperationId> OperationOf(const Call& call) {
  const std::string& text = call.Parameter("operation");
  undo::OperationId id = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, id);
  if (failed != std::errc() || stopped != end || id == 0) return std::nullopt;
  return id;
}

net::HttpResponse Show(const Context& context, Call& call) {
  const auto id = OperationOf(call);
  const auto place = PlaceOf(context, call);
  if (!place.value) return place.problem;
  guard::Guard& guard = *place.value->guard;
  const auto history = guard.journal()->Read();
  if (!history) return ProblemOf(history.error());
  const undo::Operation* const operation = id ? undo::Find(*history, *id) : nullptr;
  if (operation == nullptr) return NoSuchObject();
  json::object object = ChangeObject(tools::OperationObject(guard, *operation));
  json::array files;
  for (const undo::Change& one : operation->changes) {
    if (files.size() >= kMostFiles) break;
    files.push_back(ChangedFileObject(guard, *guard.journal(), one));
  }
  object["files"] = std::move(files);
  return JsonAnswer(200, std::move(object));
}

net::HttpResponse Undo(const Context& context, Call& call) {
  const auto id = OperationOf(call);
  auto place = PlaceOf(context, call);
  if (!place.value) return place.problem;
  if (!id) return NoSuchObject();
  std::shared_ptr<guard::Guard> guard = place.value->guard;
  // Who may answer questions need not be asked one.
  if (call.caller.Has("approvals")) {
    auto unasked = context.workplaces->UnaskedGuard(place.value->lease);
    if (!unasked) return ProblemOf(unasked.error());
    guard = std::move(*unasked);
  }
  const auto outcome =
      tools::Run(tools::kUndo, *guard, {{"operation", static_cast<std::int64_t>(*id)}});
  if (!outcome) return FailureProblem(outcome.error());
  json::array undone;
  for (const json::value& one : outcome->data.at("undone").as_array()) {
    undone.push_back(ChangeObject(one.as_object()));
  }
  return JsonAnswer(200, {{"changes", std::move(undone)}});
}

template <typename Work>
Handler With(const Context& context, Work work) {
  return Answering([context, work](Call& call) { return work(context, call); });
}

}  // namespace

void AddChangeRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/changes",
                    "listChanges",
                    "What tools changed in its files, the newest first",
                    "sandboxes:read",
                    {{200, "That", {"ChangeList"}}},
                    With(context, List),
                    {{"limit", "integer", "How many, 200 if not given"}}});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/changes/{operation}",
                    "getChange",
                    "One change, as differences",
                    "sandboxes:read",
                    {{200, "Fifty files at most", {"ChangeDetail"}}},
                    With(context, Show)});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/changes/{operation}/undo",
                    "undoChange",
                    "Take it back, unless somebody changed the same since",
                    "sandboxes:write",
                    {{200, "What was undone", {"ChangeList"}},
                     {409, "It was changed since; nothing was undone", kProblem}},
                    With(context, Undo)});
}

}  // namespace cordon::serve
