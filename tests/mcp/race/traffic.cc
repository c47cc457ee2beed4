#include "tests/mcp/race/traffic.h"

#include <algorithm>
#include <boost/json.hpp>

namespace cordon::testing {
namespace {

namespace json = boost::json;

class RequestList {
 public:
  void Call(const char* tool, json::object arguments) {
    requests_.push_back(
        {tool, "tools/call", {{"name", tool}, {"arguments", std::move(arguments)}}});
  }
  void Read(const std::string& uri) {
    requests_.push_back({"resources/read", "resources/read", {{"uri", uri}}});
  }
  std::vector<Request> Take() { return std::move(requests_); }

 private:
  std::vector<Request> requests_;
};

void AddMove(RequestList& plan, const std::string& from, const std::string& to) {
  plan.Call("move_path", {{"source", from}, {"destination", to}, {"create_parents", false}});
}

// Through the contested name, `before` being put before every path. Missing directories are
// not made: one in the place of a directory that was moved away would keep it away.
void AddThrough(RequestList& plan, const Duel& duel, const std::string& before) {
  const std::string file = before + duel.file;
  const std::string in = before + (duel.directory == "." ? "" : duel.directory + "/");
  const std::string directory = before + duel.directory;
  plan.Call("read_file", {{"path", file}});
  plan.Call("write_file", {{"path", file}, {"content", "inside"}, {"create_parents", false}});
  plan.Call("edit_file",
            {{"path", file}, {"edits", {{{"old", "inside"}, {"new", "still inside"}}}}});
  plan.Call("read_file", {{"path", file}, {"encoding", "base64"}});
  plan.Call("list_directory", {{"path", directory}});
  plan.Call("grep", {{"pattern", "."}, {"path", directory}, {"include_hidden", true}});
  plan.Call("write_file",
            {{"path", in + "new0"}, {"content", "inside"}, {"create_parents", false}});
  plan.Call("replace", {{"path", in + "new0"}, {"old_string", "inside"}, {"new_string", "within"}});
  plan.Call("append_file", {{"path", in + "new0"}, {"content", "."}, {"create_parents", false}});
  plan.Call("insert_lines", {{"path", in + "new0"}, {"line", 0}, {"content", "first\n"}});
  AddMove(plan, in + "new0", in + "moved");
  plan.Call("file_info", {{"path", file}});
  plan.Call("delete_path", {{"path", in + "moved"}});
  AddMove(plan, before + "plain", in + "plain-moved");
  AddMove(plan, in + "plain-moved", before + "plain");
  plan.Call("copy_path", {{"source", file}, {"destination", before + "copy"}, {"overwrite", true}});
  plan.Call("read_files", {{"paths", {before + "copy", file}}});
  plan.Call("write_file", {{"path", before + "plain"}, {"content", "inside"}});
  plan.Call("glob", {{"pattern", "**"}, {"path", directory}, {"include_hidden", true}});
  plan.Call("apply_patch", {{"patch", "*** Begin Patch\n*** Update File: " + file +
                                          "\n@@\n-inside\n+patched inside\n*** End Patch\n"}});
  if (!duel.swap) return;  // create_directory always makes what is missing
  plan.Call("create_directory", {{"path", in + "made/below"}});
  plan.Call("delete_path", {{"path", in + "made"}, {"recursive", true}});
}

constexpr std::string_view kAside = ".cordon-";

void NoteAside(const std::string& reply, std::set<std::string>& names) {
  for (std::size_t at = reply.find(kAside); at != std::string::npos; at = reply.find(kAside, at)) {
    const std::size_t end = reply.find(".tmp", at);
    if (end == std::string::npos) return;
    names.insert(reply.substr(at, end + 4 - at));
    at = end;
  }
}

void AddTheNameItself(RequestList& plan, const Duel& duel, const std::string& before) {
  plan.Call("undo", {{"steps", 1}});
  if (!duel.swap) return;
  const std::string name = before + duel.first.substr(std::string("root/").size());
  plan.Call("copy_path",
            {{"source", name}, {"destination", before + "copied"}, {"recursive", true}});
  plan.Call("grep", {{"pattern", "."}, {"path", before + "copied"}});
  plan.Call("delete_path", {{"path", before + "copied"}, {"recursive", true}});
  AddMove(plan, name, before + "aside");
  plan.Call("read_file", {{"path", before + "aside"}});
  AddMove(plan, before + "aside", name);
  plan.Call("delete_path", {{"path", name}, {"recursive", true}});
  plan.Call("undo", {{"steps", 1}});
}

}  // namespace

std::vector<Request> EveryWay(const Duel& duel, const std::string& root, Reach reach) {
  RequestList plan;
  for (const std::string& before : {std::string(), root + "/"}) {
    AddThrough(plan, duel, before);
    plan.Read("file://" + root + "/" + duel.file);
    if (reach == Reach::kAlso) AddTheNameItself(plan, duel, before);
  }
  return plan.Take();
}

std::vector<Request> ReadAndWrite(const Duel& duel, const std::string& root) {
  RequestList plan;
  plan.Call("read_file", {{"path", root + "/" + duel.file}});
  plan.Call("write_file", {{"path", root + "/" + duel.directory + "/new0"}, {"content", "inside"}});
  return plan.Take();
}

std::string Message(const Request& request, std::size_t id) {
  return json::serialize(json::value{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", request.method}, {"params", request.params}});
}

std::string InitializeMessage() {
  return Message({"initialize",
                  "initialize",
                  {{"protocolVersion", "2025-11-25"},
                   {"capabilities", json::object()},
                   {"clientInfo", {{"name", "race"}, {"version", "1"}}}}},
                 0);
}

void Heard::Add(const Request& request, const std::string& reply, double milliseconds) {
  longest_ms = std::max(longest_ms, milliseconds);
  if (std::string leak = Arena::Leak(reply); !leak.empty() && leaks.size() < 5) {
    leaks.push_back(request.name + " " + leak);
  }
  const bool refused = reply.find(R"("isError":true)") != std::string::npos ||
                       reply.find(R"("result":)") == std::string::npos;
  // Only a refusal says of it that it was left; lists tell it like any other file.
  if (refused) NoteAside(reply, left_aside);
  Counts& counts = by_name[request.name];
  ++(refused ? counts.refused : counts.done);
}

Counts Heard::Sum() const {
  Counts sum;
  for (const auto& [name, counts] : by_name) {
    sum.done += counts.done;
    sum.refused += counts.refused;
  }
  return sum;
}

}  // namespace cordon::testing
