#include "mcp_tools/file_listing.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/printable.h"
#include "base/unicode.h"
#include "search/beginnings.h"
#include "search/glob_search.h"
#include "tools/path_text.h"
#include "tools/result_object.h"
#include "tools/text_form.h"

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;
using guard::Boundary;

constexpr std::size_t kPage = 500;
// Of one root: beyond it, what was met is all there is to tell.
constexpr std::size_t kMostEntries = 2'000'000;

// Where a page ended: in which root, and behind which path.
struct Mark {
  std::size_t root = 0;
  std::string path;
};

std::string Encode(const Mark& mark) {
  return Base64Encode(std::to_string(mark.root) + ":" + mark.path);
}

std::optional<Mark> Decode(const std::string& cursor) {
  const std::optional<std::string> text = Base64Decode(cursor);
  if (!text) return std::nullopt;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) return std::nullopt;
  Mark mark;
  const char* const end = text->data() + colon;
  const auto [last, failed] = std::from_chars(text->data(), end, mark.root);
  if (failed != std::errc() || last != end) return std::nullopt;
  mark.path = text->substr(colon + 1);
  return mark;
}

// By how it begins, as reading it would tell; empty if that is not certain.
std::string_view MimeTypeOf(const search::Beginning& file) {
  std::string_view beginning = file.bytes;
  const std::string_view known = tools::MimeTypeOf(beginning);
  if (known != "application/octet-stream") return known;
  if (tools::LooksBinary(beginning)) return {};
  if (unicode::IsValidUtf8(beginning)) return "text/plain";
  // The last letter may be cut.
  for (int cut = 1; cut < 4 && file.bytes.size() < file.size && beginning.size() > 1; ++cut) {
    beginning.remove_suffix(1);
    if (unicode::IsValidUtf8(beginning)) return "text/plain";
  }
  return {};
}

json::object ResourceObject(const std::string& root, const std::string& below,
                            const std::map<std::string, search::Beginning>& beginnings) {
  const std::string path = root == "/" ? root + below : root + "/" + below;
  json::object object{{"uri", tools::FileUrl(path)},
                      {"name", tools::ValidUtf8(below.substr(below.rfind('/') + 1))},
                      {"title", Printable(below)}};
  const auto found = beginnings.find(below);
  if (found == beginnings.end()) return object;
  object["size"] = found->second.size;
  const std::string_view type = MimeTypeOf(found->second);
  if (!type.empty()) object["mimeType"] = type;
  return object;
}

// Roots that lie in others are told with those.
bool LiesInAnother(const std::vector<Boundary::Place>& places, const std::string& path) {
  return std::any_of(places.begin(), places.end(), [&](const Boundary::Place& place) {
    const std::string& outer = place.root->real_path();
    return outer.size() < path.size() && path.starts_with(outer) &&
           (outer == "/" || path[outer.size()] == '/');
  });
}

Result<search::GlobAnswer> Names(guard::Guard& guard, const std::string& root, std::string after,
                                 std::size_t limit, const std::stop_token& stop) {
  search::GlobTerms terms;
  terms.pattern = "**";
  terms.order = search::GlobOrder::kPath;
  terms.limit = limit;
  terms.after = std::move(after);
  auto search = search::GlobSearch::Make(terms);
  if (!search) return std::move(search.error());
  guard::Call call{"resources/list", policy::ToolKind::kRead, stop};
  call.asks = guard::Call::Asks::kNever;
  confine::SearchTerms bounds;
  bounds.max_entries = kMostEntries;
  auto outcome = guard.Search(call, root, bounds, **search);
  if (!outcome) return std::move(outcome.error());
  return (*search)->Take();
}

// A list that lacks what could not be found out is still one.
std::map<std::string, search::Beginning> BeginningsOf(guard::Guard& guard, const std::string& root,
                                                      const std::vector<search::GlobFound>& names,
                                                      const std::stop_token& stop) {
  std::vector<std::string> paths;
  for (const search::GlobFound& found : names) {
    if (found.type == platform::FileType::kRegular) paths.push_back(found.path);
  }
  if (paths.empty()) return {};
  search::Beginnings search(std::move(paths));
  guard::Call call{"resources/list", policy::ToolKind::kRead, stop};
  call.asks = guard::Call::Asks::kNever;
  confine::SearchTerms bounds;
  bounds.reach = confine::SearchReach::kContents;
  static_cast<void>(guard.Search(call, root, bounds, search));
  return search.Take();
}

}  // namespace

mcp::Answered<mcp::Page> ListFiles(guard::Guard& guard, const mcp::Service::Cursor& cursor,
                                   const std::stop_token& stop) {
  Mark mark;
  if (cursor) {
    std::optional<Mark> decoded = Decode(*cursor);
    if (!decoded) return tl::make_unexpected(mcp::InvalidParams("this is no cursor of ours"));
    mark = *std::move(decoded);
  }
  const std::vector<Boundary::Place>& places = guard.boundary().places();
  mcp::Page page;
  for (std::size_t i = mark.root; i < places.size(); ++i, mark.path.clear()) {
    const std::string& root = places[i].root->real_path();
    if (LiesInAnother(places, root)) continue;
    const std::size_t room = kPage - page.items.size();
    auto names = Names(guard, root, mark.path, room + 1, stop);
    if (!names) {
      // A root that may not be listed has nothing to list.
      if (names.error().code == ErrorCode::kPathDenied) continue;
      return tl::make_unexpected(mcp::RpcError{
          mcp::RpcCode::kInternalError, Printable(names.error().Message("the list of files"))});
    }
    const auto beginnings = BeginningsOf(guard, root, names->found, stop);
    std::size_t told = 0;
    for (const search::GlobFound& found : names->found) {
      if (told++ == room) break;
      mark.path = found.path;
      if (found.type == platform::FileType::kRegular) {
        page.items.push_back(ResourceObject(root, found.path, beginnings));
      }
    }
    if (names->found.size() <= room) continue;
    page.next = Encode({i, mark.path});
    return page;
  }
  return page;
}

}  // namespace cordon::mcp_tools
