// The client at the other end of a line stream: which era each message belongs to.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "mcp/hub.h"
#include "mcp/job.h"
#include "mcp/line_writer.h"
#include "mcp/message.h"
#include "mcp/running.h"
#include "mcp/service.h"
#include "mcp/session.h"
#include "mcp/stateless.h"

namespace cordon::mcp {

// Both eras may be spoken on one stream. Answers may be held (LineWriter::Answer), what else
// is sent is written at once.
// Thread safety: Accept from one thread at a time, jobs concurrently.
class LineClient {
 public:
  LineClient(Service& service, Hub& hub, LineWriter& writer);
  ~LineClient();  // its jobs must have ended

  // Adds what is to be run for this line; what needs no running is done.
  void Accept(std::string_view line, std::vector<Job>& jobs);
  // For a line that was too long to be looked at.
  void RefuseLine();
  // Nobody answers our questions any more.
  void EndInput();
  // Stops what runs.
  void Close();

 private:
  std::optional<Job> AcceptMessage(Message message, const std::shared_ptr<ReplyStream>& stream);
  Job AcceptStateless(Request request, std::shared_ptr<ReplyStream> stream);

  LineWriter& writer_;
  const std::shared_ptr<ReplyStream> reply_;  // the same for all that are no part of a batch
  Running running_;                           // of the stateless era
  const std::shared_ptr<Tasks> tasks_;
  Stateless stateless_;
  Session session_;
};

}  // namespace cordon::mcp
