// One request while it is being answered, as a Service sees it: the same in both eras.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/client.h"
#include "mcp/log_level.h"
#include "mcp/precondition.h"
#include "mcp/rpc_error.h"

namespace cordon::mcp {

// Why the client has not answered a question.
enum class AskFailure {
  kPending,    // it is asked by this request's own reply: finish now, and be called again
  kIncapable,  // it has not declared that it can be asked this
  kTimeout,
  kCancelled,  // the request, or the client is gone
  kRefused,    // it answered with an error, or with what is no answer
};

// Thread safety: one thread works on an exchange; stop() may be requested by others.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual const Client& client() const = 0;
  // Set when the client has cancelled, or is gone where that means the same.
  virtual std::stop_token stop() const = 0;
  // What the Service gave to Service::Join for this client; null in the stateless era.
  virtual const std::shared_ptr<void>& attachment() const = 0;

  // What is needed for the answer, e.g. a share of memory: kept until its text is made, and
  // dropped before that is sent, because a client may take its time.
  void Hold(std::shared_ptr<void> share) { held_.push_back(std::move(share)); }
  std::vector<std::shared_ptr<void>> TakeHeld() { return std::move(held_); }

  // Where the answer's values may live. It is given back when the answer's text was made, so
  // that nothing which is kept longer may live there.
  virtual boost::json::storage_ptr memory() { return {}; }

  // The answer is sent only after `condition` was fulfilled, together with those of other
  // answers where several are sent at once. False: not here, so that the Service must
  // see to it before it returns.
  virtual bool SendAfter(const std::shared_ptr<Precondition>& /*condition*/) { return false; }

  // Sent only to clients that want to know, and not more often than is useful. `done`
  // must grow.
  virtual void Progress(double done, std::optional<double> total, std::string_view message) = 0;
  // Sent only where the client has set a level at or below this one.
  virtual void Log(LogLevel level, std::string_view logger, const boost::json::value& data) = 0;

  // Asks the client: "elicitation/create", "roots/list", "sampling/createMessage".
  // Handshake era: sends the question and waits, `patience` at most. Stateless era:
  // gives the answer that came with this request under `key`, or kPending; several
  // questions may be asked before the Service returns, and whatever it returns while
  // one is pending is not sent.
  virtual tl::expected<boost::json::object, AskFailure> Ask(std::string_view key,
                                                            std::string_view method,
                                                            const boost::json::object& params,
                                                            std::chrono::milliseconds patience) = 0;
  // Stateless era: what comes back unchanged, and only once, when this request is
  // repeated with answers. Kept from others by a seal: bound to principal, method and
  // arguments, and void after some minutes. Nothing is carried in the handshake era.
  virtual void Carry(boost::json::object state) = 0;
  virtual const boost::json::object* carried() const = 0;  // null: nothing was

 private:
  std::vector<std::shared_ptr<void>> held_;
};

}  // namespace cordon::mcp
