// One tool: its declaration, and what it does.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "guard/guard.h"
#include "policy/tool_level.h"
#include "tools/arguments.h"
#include "tools/field.h"
#include "tools/outcome.h"

namespace cordon::tools {

// How far a long call has come.
struct Progress {
  std::uint64_t done = 0;
  std::string_view what;  // "files searched"
};

// What of an answer the caller has use for.
enum class Wanted {
  kDataAndText,
  kText,   // the tool may leave out of Answer::data what takes long to make
  kWords,  // neither the etag nor, if there is content in the data, Answer::text
};

// Asked before a file of so many bytes is taken into memory as a whole. What is given is
// dropped with the file; an error ends the call.
using Reserve = std::function<Result<std::shared_ptr<void>>(std::uint64_t bytes)>;

// What a running tool has to work with. Nothing else leads to the disk.
struct Context {
  guard::Guard& guard;
  guard::Call call;  // of the tool that runs; its stop ends it early
  std::function<void(const Progress&)> progress = {};  // may be empty
  Wanted wanted = Wanted::kDataAndText;
  Reserve reserve = {};                  // may be empty
  boost::json::storage_ptr memory = {};  // for Answer::data, where a tool makes use of it

  // For a look on the way to a change: asked about as reading is, not as the change.
  guard::Call Looking() const {
    guard::Call look{call.tool, policy::ToolKind::kRead, call.stop};
    look.client = call.client;
    return look;
  }
};

// What calling it again, or at all, may do. For clients that show it to people.
enum class Effect {
  kNone,      // only tells
  kAdds,      // changes nothing that was there
  kReplaces,  // may change or remove what was there
};
// What must be there for it to be of any use.
enum class Needs { kNothing, kCommands };
// kLong: a caller may want to do something else until it has ended.
enum class Lasts { kBriefly, kLong };
enum class Repeat { kSame, kAgain };  // whether a second call with the same arguments adds to it

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  policy::ToolKind kind = policy::ToolKind::kRead;
  Effect effect = Effect::kNone;
  Repeat repeat = Repeat::kSame;
  Fields input;
  Fields output;  // of Answer::data
  Outcome (*run)(Context& context, const Arguments& arguments) = nullptr;
  Needs needs = Needs::kNothing;
  Lasts lasts = Lasts::kBriefly;
};

struct CallOptions {
  std::stop_token stop = {};
  consent::Channel* client = nullptr;  // as guard::Call's
  std::function<void(const Progress&)> progress = {};
  Wanted wanted = Wanted::kDataAndText;
  Reserve reserve = {};
  boost::json::storage_ptr memory = {};  // where Answer::data may live; must outlive it
};

// Checks the arguments, runs the tool. Never throws.
// Errors: kInvalidArguments, and the tool's own.
Outcome Run(const Tool& tool, guard::Guard& guard, const boost::json::object& arguments,
            const CallOptions& options = {});

}  // namespace cordon::tools
