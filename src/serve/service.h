// All of `cordon serve`: sandboxes, what is done in them, and the API in front.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/recorder.h"
#include "cordon/result.h"
#include "policy/settings.h"
#include "policy/tool_level.h"
#include "preview/previews.h"
#include "provision/sandboxes.h"
#include "serve/api.h"
#include "store/store.h"

namespace cordon::serve {

struct ServiceParts {
  std::shared_ptr<store::Store> store;
  std::vector<std::shared_ptr<provision::Driver>> drivers;
  provision::Policy policy;
  std::shared_ptr<audit::Recorder> recorder;
  std::string log_file, key_file;       // that the recorder writes and holds
  std::vector<policy::ToolRule> tools;  // which calls of tools ask the sandbox's owner
  // Set: the user of this name works under the profile `interactive`, and this of the machine is
  // out of reach nonetheless (workplaces.h).
  struct Interactive {
    std::string user;
    std::vector<policy::Protected> own;
  };
  std::optional<Interactive> interactive;
  std::string undo_directory;        // where changes are kept; empty: nowhere
  std::function<store::Time()> now;  // empty: the system's clock
  ApiOptions api;
  std::optional<preview::PreviewTerms> previews;  // unset: none are shown
  std::string state;                              // directory, for the key of previews
};

class Service {
 public:
  // Settles what an earlier process left, then listens. Errors: those of Sandboxes::Open and
  // Api::Start.
  static Result<std::unique_ptr<Service>> Open(ServiceParts parts);
  // Nobody comes in any more, streams and terminals end, what has begun is answered; sandboxes go
  // on.
  virtual ~Service() = default;
  virtual std::string url() const = 0;
  // Where previews are found by name; "" if none are shown.
  virtual std::string preview_address() const = 0;
  // Opens the dashboard as the user of this name, with every scope; good once, for ten minutes.
  // Errors: kNotFound.
  virtual Result<std::string> SignInLink(std::string_view user) = 0;
};

store::Time SystemNow();

}  // namespace cordon::serve
