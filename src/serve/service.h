// All of `cordon serve`: sandboxes, what is done in them, and the API in front.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/recorder.h"
#include "cordon/result.h"
#include "policy/tool_level.h"
#include "provision/sandboxes.h"
#include "serve/api.h"
#include "store/store.h"

namespace cordon::serve {

struct ServiceParts {
  std::shared_ptr<store::Store> store;
  std::vector<std::shared_ptr<provision::Driver>> drivers;
  provision::Policy policy;
  std::shared_ptr<audit::Recorder> recorder;
  std::string log_file;                 // that the recorder writes
  std::vector<policy::ToolRule> tools;  // which calls of tools ask the sandbox's owner
  std::function<store::Time()> now;     // empty: the system's clock
  ApiOptions api;
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
};

store::Time SystemNow();

}  // namespace cordon::serve
