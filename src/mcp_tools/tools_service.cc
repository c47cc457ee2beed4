#include "mcp_tools/tools_service.h"

#include <mutex>
#include <utility>

#include "audit/deferral.h"
#include "base/printable.h"
#include "mcp_tools/client_channel.h"
#include "mcp_tools/file_listing.h"
#include "mcp_tools/file_uri.h"
#include "mcp_tools/path_completion.h"
#include "mcp_tools/recorded_call.h"
#include "mcp_tools/tool_result.h"
#include "tools/all.h"

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;
using mcp::Answered;

constexpr std::string_view kInstructions =
    "File tools that are confined to the roots which list_roots tells. Relative paths are below "
    "the first of them. What lies outside, and what is denied, is refused or asked about; the "
    "answer says which. Every call is recorded.";

mcp::Description MakeDescription(const ToolShelf& shelf, const ServiceOptions& options) {
  mcp::Description description;
  description.name = "cordon";
  description.title = "Cordon";
  description.version = options.version;
  if (shelf.Find("list_roots") != nullptr) description.instructions = kInstructions;
  description.capabilities = {{"tools", json::object()},
                              {"resources", json::object{{"subscribe", true}}},
                              {"completions", json::object()}};
  if (shelf.HasLongOnes()) {
    json::object extensions;
    extensions["io.modelcontextprotocol/tasks"] = json::object();
    description.capabilities["extensions"] = std::move(extensions);
  }
  return description;
}

// A search tells how far it has come from a thread of its own, while the call may be
// asking somebody: an exchange is for one at a time.
class CallProgress {
 public:
  explicit CallProgress(mcp::Exchange& exchange) : exchange_(exchange) {}
  std::mutex& in_use() { return in_use_; }

  void Tell(const tools::Progress& progress) {
    const std::unique_lock lock(in_use_, std::try_to_lock);
    if (!lock || progress.done <= last_) return;
    last_ = progress.done;
    exchange_.Progress(static_cast<double>(progress.done), std::nullopt, progress.what);
  }

 private:
  mcp::Exchange& exchange_;
  std::mutex in_use_;
  std::uint64_t last_ = 0;
};

// The memory that a call takes for the files it works on.
class CallMemory {
 public:
  CallMemory(MemoryBudget& budget, mcp::Exchange& exchange)
      : budget_(budget), exchange_(exchange) {}

  Result<MemoryBudget::Share> Take(std::uint64_t bytes) {
    using Waiting = MemoryBudget::Waiting;
    auto share =
        budget_.Take(bytes, exchange_.stop(), held_.expired() ? Waiting::kMay : Waiting::kNever);
    if (share && *share) held_ = *share;
    return share;
  }

 private:
  MemoryBudget& budget_;
  mcp::Exchange& exchange_;
  std::weak_ptr<void> held_;  // who has some must not wait for more
};

// Most commands end sooner, and are worth no handle.
constexpr std::chrono::milliseconds kTaskPatience{1000};

constexpr std::uint64_t kCopies = 4;  // of what is told, until it is ready to be sent

std::uint64_t SizeOf(const tools::Served& served) {
  std::uint64_t size = served.text.size();
  if (!served.outcome) return size;
  for (const tools::Attachment& one : served.outcome->attachments) size += one.bytes.size();
  return size;
}

// Whether a tool tells nothing, not even how far it has come, before its call has ended: then
// what it read may be recorded together with what others did.
bool TellsAtTheEnd(const tools::Tool& tool) {
  return &tool == &tools::kReadFile || &tool == &tools::kReadFiles;
}

tl::unexpected<mcp::RpcError> NoSuchCursor() {
  return tl::make_unexpected(mcp::InvalidParams("this is no cursor of ours"));
}

}  // namespace

ToolsService::ToolsService(const tools::Menu& menu, guard::Guard::Parts parts, mcp::Hub& hub,
                           const ServiceOptions& options)
    : shelf_(menu, options.offer, parts.commands ? Commands::kRun : Commands::kNone),
      description_(MakeDescription(shelf_, options)),
      clients_(std::move(parts)),
      subscriptions_(hub) {}

std::shared_ptr<void> ToolsService::Join(mcp::Exchange& exchange) {
  return clients_.Join(exchange);
}

void ToolsService::RootsChanged(mcp::Exchange& exchange) { clients_.RootsChanged(exchange); }

Answered<mcp::Page> ToolsService::ListTools(mcp::Exchange& exchange, const Cursor& cursor) {
  if (cursor) return NoSuchCursor();
  return mcp::Page{shelf_.ListFor(exchange.client().principal), std::nullopt};
}

Answered<mcp::ToolResult> ToolsService::CallTool(mcp::Exchange& exchange, std::string_view name,
                                                 const json::object& arguments) {
  const ShelvedTool* const tool = shelf_.Find(name);
  if (tool == nullptr) {
    return tl::make_unexpected(mcp::InvalidParams("there is no tool " + Quoted(name)));
  }
  const mcp::Principal& principal = exchange.client().principal;
  if (tool->changes() && !MayWrite(principal)) {
    return tl::make_unexpected(mcp::InsufficientScope(kWriteScopes));
  }
  if (!MayRead(principal)) return tl::make_unexpected(mcp::InsufficientScope(kReadScope));
  const auto guard = clients_.GuardOf(exchange);
  if (!guard) return RefusedCall(guard.error());
  CallProgress progress(exchange);
  ClientChannel client(exchange, progress.in_use());
  tools::CallOptions options{exchange.stop(), &client,
                             [&progress](const tools::Progress& so_far) { progress.Tell(so_far); }};
  CallMemory memory(memory_, exchange);
  options.memory = exchange.memory();
  options.reserve = [&memory](std::uint64_t bytes) { return memory.Take(bytes); };
  std::optional<audit::Deferral> deferral;
  if (TellsAtTheEnd(*tool->behind)) deferral.emplace();
  tools::Served served = shelf_.menu().Call(name, arguments, **guard, options);
  if (deferral) {
    const auto call = std::make_shared<RecordedCall>(*guard, deferral->Take());
    deferral.reset();
    if (!exchange.SendAfter(call)) {
      if (const auto failed = call->Await()) return RefusedCall(*failed);
    }
  }
  auto share = memory_.Take(SizeOf(served) * kCopies, exchange.stop(), MemoryBudget::Waiting::kMay);
  // What was changed is told in any case.
  if (!share && !tool->changes()) return RefusedCall(share.error());
  if (share) exchange.Hold(std::move(*share));
  return MakeToolResult(std::move(served), *tool, (*guard)->boundary());
}

std::optional<mcp::TaskTerms> ToolsService::TaskTermsOf(std::string_view name,
                                                        const json::object& /*arguments*/) const {
  const ShelvedTool* const tool = shelf_.Find(name);
  if (tool == nullptr || tool->behind->lasts != tools::Lasts::kLong) return std::nullopt;
  return mcp::TaskTerms{mcp::TaskTerms::Need::kMay, kTaskPatience};
}

Answered<std::shared_ptr<guard::Guard>> ToolsService::Reader(mcp::Exchange& exchange) {
  if (!MayRead(exchange.client().principal)) {
    return tl::make_unexpected(mcp::InsufficientScope(kReadScope));
  }
  auto guard = clients_.GuardOf(exchange);
  if (guard) return std::move(*guard);
  return tl::make_unexpected(
      mcp::RpcError{mcp::RpcCode::kInvalidRequest, Printable(guard.error().detail)});
}

Answered<mcp::Page> ToolsService::ListResources(mcp::Exchange& exchange, const Cursor& cursor) {
  const auto guard = Reader(exchange);
  if (!guard) return tl::make_unexpected(guard.error());
  return ListFiles(**guard, cursor, exchange.stop());
}

Answered<mcp::Page> ToolsService::ListResourceTemplates(mcp::Exchange& /*exchange*/,
                                                        const Cursor& cursor) {
  if (cursor) return NoSuchCursor();
  mcp::Page page;
  page.items.push_back(
      json::object{{"uriTemplate", kFileTemplate},
                   {"name", "file"},
                   {"title", "A file"},
                   {"description", "By its absolute path, which must lie in one of the roots."}});
  return page;
}

Answered<json::array> ToolsService::ReadResource(mcp::Exchange& exchange, std::string_view uri) {
  const auto guard = Reader(exchange);
  if (!guard) return tl::make_unexpected(guard.error());
  return ReadFileResource(**guard, exchange, memory_, uri);
}

Answered<mcp::Service::Lease> ToolsService::Subscribe(mcp::Exchange& exchange,
                                                      std::string_view uri) {
  const auto guard = Reader(exchange);
  if (!guard) return tl::make_unexpected(guard.error());
  return subscriptions_.Subscribe(**guard, exchange, uri);
}

Answered<mcp::Completions> ToolsService::Complete(mcp::Exchange& exchange,
                                                  const mcp::CompletionRequest& request) {
  const bool ours = request.of == mcp::CompletionRequest::Of::kResource &&
                    request.reference == kFileTemplate && request.argument == "path";
  if (!ours) return tl::make_unexpected(mcp::InvalidParams("there is nothing like this here"));
  const auto guard = Reader(exchange);
  if (!guard) return tl::make_unexpected(guard.error());
  return CompletePath(**guard, request.value, exchange.stop());
}

}  // namespace cordon::mcp_tools
