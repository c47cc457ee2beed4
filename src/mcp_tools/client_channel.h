// Asks the person at the client that makes the call.
#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "consent/channel.h"
#include "mcp/exchange.h"
#include "mcp_tools/consent_form.h"

namespace cordon::mcp_tools {

// So many questions may be open in one call, and so often may it be repeated for answers.
inline constexpr std::size_t kMostOpen = 16;
inline constexpr int kMostRounds = 16;

// For one call. Where a client must call again to answer, Ask gives kConsentDenied with
// rule "pending": nothing of the call is done any more, and the answer counts when the call is
// repeated and the guard puts the same question, about the same object in the same
// state, once more. Any other question is asked anew.
//
// Guarantees: an answer agrees to one act; what was not asked here, or was asked in a call
//   whose state was not sealed, was not answered.
// Thread safety: as Channel; `exchange` is used only while `in_use` is held.
class ClientChannel final : public consent::Channel {
 public:
  // Both must outlive it.
  ClientChannel(mcp::Exchange& exchange, std::mutex& in_use);

  std::string_view name() const override { return "client"; }
  bool available() const override;
  Result<consent::Choice> Ask(const consent::Question& question, consent::Deadline deadline,
                              const std::stop_token& stop) override;
  bool deferred() const override { return !open_.empty(); }

 private:
  struct Given {
    std::string digest;
    FormAnswer answer;
    enum class Use { kFree, kUsed } use = Use::kFree;
  };
  struct Open {
    std::string key, digest;
    boost::json::object params;
    std::vector<consent::Choice> offered;
  };

  // What earlier rounds have brought, and what this one brings.
  void Resume();
  void ResumeOpen(const boost::json::object& asked);
  // What the next round must know.
  boost::json::object State() const;
  Result<consent::Choice> Put(const consent::Question& question, std::string digest,
                              consent::Deadline deadline);

  mcp::Exchange& exchange_;
  std::mutex& in_use_;
  bool resumed_ = false;
  int round_ = 0;
  std::vector<Given> given_;
  std::vector<Open> open_;
};

}  // namespace cordon::mcp_tools
