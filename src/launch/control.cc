#include "launch/control.h"

#include "base/try.h"
#include "platform/passed_descriptors.h"

namespace cordon::launch {

Status Control::Send(const sandbox::Report& report, std::span<const int> descriptors) const {
  return platform::SendMessage(socket_, sandbox::Encode(report), descriptors);
}

Result<Received> Control::Receive() const {
  TRY_ASSIGN(platform::Received message,
             platform::ReceiveMessage(socket_, sandbox::kMaxMessageBytes));
  if (message.bytes.empty()) {
    Error error;
    error.op = "control socket";
    return error;
  }
  Received received;
  TRY_ASSIGN(received.order, sandbox::DecodeOrder(message.bytes));
  if (!message.descriptors.empty()) received.descriptor = std::move(message.descriptors.front());
  return received;
}

}  // namespace cordon::launch
