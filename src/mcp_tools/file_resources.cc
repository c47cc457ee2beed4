#include "mcp_tools/file_resources.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/base64.h"
#include "base/printable.h"
#include "base/try.h"
#include "base/unicode.h"
#include "mcp_tools/client_channel.h"
#include "mcp_tools/file_uri.h"
#include "tools/text_form.h"

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;
using mcp::RpcError;

tl::unexpected<RpcError> NoFileUri(std::string_view uri) {
  return tl::make_unexpected(
      mcp::InvalidParams(Quoted(uri) + " is no URI of a file on this host: file:///path"));
}

// What a tool would tell, and no more.
tl::unexpected<RpcError> Refused(const Error& error, std::string_view uri, std::string_view path) {
  const std::string told = Printable(error.Message(path), 16 * kMaxEchoedBytes);
  switch (error.code) {
    case ErrorCode::kTooLarge:
      return tl::make_unexpected(
          mcp::InvalidParams(told + "; a resource has " + std::to_string(kMaxResource) +
                             " bytes at most: read it in parts, with a tool"));
    case ErrorCode::kIoError:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kTimeout:
    case ErrorCode::kUnsupported:
      return tl::make_unexpected(RpcError{mcp::RpcCode::kInternalError, told});
    default: break;
  }
  RpcError refusal = mcp::ResourceNotFound(uri);
  refusal.message += ": " + told;
  return tl::make_unexpected(std::move(refusal));
}

// The file, what is made of it, and the text of the answer.
constexpr std::uint64_t kCopies = 4;

json::string Blob(const std::string& bytes) {
  json::string text;
  text.resize(Base64Room(bytes.size()));
  Base64Encode(bytes, text.data());
  text.pop_back();
  return text;
}

json::object ContentObject(std::string_view uri, const std::string& bytes) {
  json::object content{{"uri", uri}};
  if (!tools::LooksBinary(bytes) && unicode::IsValidUtf8(bytes)) {
    content["mimeType"] = "text/plain";
    content["text"] = bytes;
  } else {
    content["mimeType"] = tools::MimeTypeOf(bytes);
    content["blob"] = Blob(bytes);
  }
  return content;
}

Result<std::string> ReadWhole(guard::Guard& guard, const guard::Call& call, std::string_view path,
                              MemoryBudget& budget, mcp::Exchange& exchange) {
  TRY_ASSIGN(confine::File file, guard.OpenRead(call, path));
  TRY_ASSIGN(const platform::FileStat stat, file.Stat());
  TRY_ASSIGN(auto share, budget.Take(std::min(stat.size, kMaxResource) * kCopies, exchange.stop(),
                                     MemoryBudget::Waiting::kMay));
  exchange.Hold(std::move(share));
  return file.ReadAll(kMaxResource);
}

}  // namespace

mcp::Answered<json::array> ReadFileResource(guard::Guard& guard, mcp::Exchange& exchange,
                                            MemoryBudget& budget, std::string_view uri) {
  const std::optional<std::string> path = PathOfUri(uri);
  if (!path) return NoFileUri(uri);
  std::mutex in_use;
  ClientChannel client(exchange, in_use);
  guard::Call call{"resources/read", policy::ToolKind::kRead, exchange.stop()};
  call.client = &client;
  const Result<std::string> bytes = ReadWhole(guard, call, *path, budget, exchange);
  if (!bytes) return Refused(bytes.error(), uri, *path);
  return json::array{ContentObject(uri, *bytes)};
}

Result<std::shared_ptr<platform::Watcher>> Subscriptions::TheWatcher() {
  const std::lock_guard lock(mutex_);
  if (!watcher_) {
    TRY_ASSIGN(watcher_, platform::Watcher::Start(kMostWatched));
  }
  return watcher_;
}

mcp::Answered<mcp::Service::Lease> Subscriptions::Subscribe(guard::Guard& guard,
                                                            mcp::Exchange& exchange,
                                                            std::string_view uri) {
  const std::optional<std::string> path = PathOfUri(uri);
  if (!path) return NoFileUri(uri);
  const auto watcher = TheWatcher();
  if (!watcher) return Refused(watcher.error(), uri, *path);
  guard::Call call{"resources/subscribe", policy::ToolKind::kRead, exchange.stop()};
  call.asks = guard::Call::Asks::kNever;
  auto handle = guard.Watch(call, *path, **watcher, [&hub = hub_, name = std::string(uri)] {
    hub.Tell({mcp::Change::Kind::kResource, name});
  });
  if (!handle) return Refused(handle.error(), uri, *path);
  return mcp::Service::Lease(std::move(*handle));
}

}  // namespace cordon::mcp_tools
