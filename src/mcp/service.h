// What a server offers, written once for both eras and every transport.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/exchange.h"
#include "mcp/rpc_error.h"

namespace cordon::mcp {

// How long a client may keep a result, and for whom.
struct Caching {
  enum class Scope { kPublic, kPrivate };
  std::uint64_t ttl_ms = 0;
  Scope scope = Scope::kPrivate;
};

struct Description {
  std::string name;
  std::string title;
  std::string version;
  std::string instructions;          // for the model; may be empty
  boost::json::object capabilities;  // as the newest revision spells them
  Caching caching;                   // of lists and of the description itself
};

struct Page {
  boost::json::array items;
  std::optional<std::string> next;  // a cursor; may be empty text
};

struct ToolResult {
  enum class Ending { kSuccess, kError };
  // All of it may live in the exchange's memory.
  boost::json::array content;
  std::optional<boost::json::object> structured = {};
  Ending ending = Ending::kSuccess;
};

// How a tool's call may take long: then it can go on as a task, whose handle is the answer.
struct TaskTerms {
  // kMust: there is no other way to call it.
  enum class Need { kMay, kMust };
  Need need = Need::kMay;
  // So long an answer is waited for before a handle is given, unless the client wants one.
  std::chrono::milliseconds patience{0};
};

struct Completions {
  std::vector<std::string> values;  // 100 are sent at most
  std::optional<std::uint64_t> total = {};
};

// What is completed.
struct CompletionRequest {
  enum class Of { kPrompt, kResource };
  Of of = Of::kPrompt;
  std::string reference;  // the prompt's name, or the template
  std::string argument;
  std::string value;                // so far
  boost::json::object others = {};  // arguments that are filled in already
};

// Errors common to all: kInvalidParams for a bad cursor; InsufficientScope.
// Thread safety: every method may run concurrently.
class Service {
 public:
  using Cursor = std::optional<std::string>;
  // While it lives, Hub::ResourceUpdated is called for what was subscribed to.
  using Lease = std::shared_ptr<void>;

  virtual ~Service() = default;
  virtual const Description& Describe() const = 0;

  // Handshake era: the client's first request has come; `exchange` is that one, and may ask
  // for roots. Its exchanges carry what is returned, which is dropped when the client goes.
  virtual std::shared_ptr<void> Join(Exchange& exchange);
  // The client's roots are others now; before any request that came after it said so.
  virtual void RootsChanged(Exchange& exchange);

  virtual Answered<Page> ListTools(Exchange& exchange, const Cursor& cursor);
  // Errors: kInvalidParams for a tool that there is not. What a model can mend is a
  // ToolResult of Ending::kError.
  virtual Answered<ToolResult> CallTool(Exchange& exchange, std::string_view name,
                                        const boost::json::object& arguments);

  // Nothing for tools that are never tasks. Asked only if the extension
  // "io.modelcontextprotocol/tasks" is among the capabilities. Does not wait.
  virtual std::optional<TaskTerms> TaskTermsOf(std::string_view name,
                                               const boost::json::object& arguments) const;

  // The input schema of a tool that marks properties with "x-mcp-header", which HTTP then
  // checks; null for any other. Lives as long as this, and does not wait.
  virtual const boost::json::object* MarkedSchema(std::string_view name) const;

  virtual Answered<Page> ListResources(Exchange& exchange, const Cursor& cursor);
  virtual Answered<Page> ListResourceTemplates(Exchange& exchange, const Cursor& cursor);
  // Its contents: at least one. Errors: ResourceNotFound.
  virtual Answered<boost::json::array> ReadResource(Exchange& exchange, std::string_view uri);
  virtual Answered<Lease> Subscribe(Exchange& exchange, std::string_view uri);

  virtual Answered<Page> ListPrompts(Exchange& exchange, const Cursor& cursor);
  // {"description"?, "messages"}.
  virtual Answered<boost::json::object> GetPrompt(Exchange& exchange, std::string_view name,
                                                  const boost::json::object& arguments);

  virtual Answered<Completions> Complete(Exchange& exchange, const CompletionRequest& request);
};

}  // namespace cordon::mcp
