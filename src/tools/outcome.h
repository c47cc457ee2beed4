// How a call of a tool ended.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cordon/result.h"

namespace cordon::tools {

// Content that is no text.
struct Attachment {
  std::string mime_type;
  std::string bytes;
};

struct Answer {
  boost::json::object data;  // as the tool's output fields declare
  std::string text;          // the same, for a model to read
  std::vector<Attachment> attachments = {};
  std::vector<std::string> changed = {};  // paths, as asked for
};

struct Failure {
  // NOLINTNEXTLINE(google-explicit-constructor): TRY in a tool must read well
  Failure(Error what) : error(std::move(what)) {}

  Error error;
  std::string advice = {};        // for the model; empty: the error's own
  boost::json::object data = {};  // facts that help to correct the call
  std::string requested = {};     // the path at fault; empty: the call's "path"
};

// A value, or why not, with what helps a model to do better.
template <typename T>
class [[nodiscard]] Attempt : public tl::expected<T, Failure> {
 public:
  using tl::expected<T, Failure>::expected;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Attempt(Failure failure) : tl::expected<T, Failure>(tl::make_unexpected(std::move(failure))) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Attempt(Error error) : Attempt(Failure(std::move(error))) {}
};

using Outcome = Attempt<Answer>;

}  // namespace cordon::tools
