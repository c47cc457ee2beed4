#include "mcp/line_client.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace cordon::mcp {
namespace {

// Everything on one stream: what belongs to a request goes the same way as all else.
class LineReply final : public ReplyStream {
 public:
  explicit LineReply(LineWriter& writer) : writer_(writer) {}
  void Send(std::string message) override { writer_.Write(message); }
  void Finish(std::string&& response, std::optional<RpcCode> /*failure*/) override {
    writer_.Answer(response);
  }
  void FinishAfter(std::string&& response, Settle settle) override {
    writer_.Answer(response, std::move(settle));
  }
  void Abandon() override {}

 private:
  LineWriter& writer_;
};

// The responses to a batch, sent together.
class BatchReply {
 public:
  BatchReply(LineWriter& writer, std::size_t parts) : writer_(writer), missing_(parts) {}
  LineWriter& writer() { return writer_; }
  // Nothing: there will be none.
  void Part(std::optional<std::string> response) {
    const std::lock_guard lock(mutex_);
    if (response) {
      text_ += text_.empty() ? '[' : ',';
      text_ += *response;
    }
    if (--missing_ > 0 || text_.empty()) return;
    text_ += ']';
    writer_.Answer(text_);
  }

 private:
  LineWriter& writer_;
  std::mutex mutex_;
  std::size_t missing_;
  std::string text_;
};

class BatchPart final : public ReplyStream {
 public:
  explicit BatchPart(std::shared_ptr<BatchReply> whole) : whole_(std::move(whole)) {}
  void Send(std::string message) override { whole_->writer().Write(message); }
  void Finish(std::string&& response, std::optional<RpcCode> /*failure*/) override {
    whole_->Part(std::move(response));
  }
  void Abandon() override { whole_->Part(std::nullopt); }

 private:
  std::shared_ptr<BatchReply> whole_;
};

// Takes the request out of the running ones when it is answered.
class Counted final : public ReplyStream {
 public:
  Counted(Running& running, Id id, std::shared_ptr<ReplyStream> stream)
      : running_(running), id_(std::move(id)), stream_(std::move(stream)) {}
  void Send(std::string message) override { stream_->Send(std::move(message)); }
  void Finish(std::string&& response, std::optional<RpcCode> failure) override {
    running_.End(id_);
    stream_->Finish(std::move(response), failure);
  }
  void Abandon() override {
    running_.End(id_);
    stream_->Abandon();
  }

 private:
  Running& running_;
  const Id id_;
  const std::shared_ptr<ReplyStream> stream_;
};

Job Answer(std::optional<Id> id, RpcError error, std::shared_ptr<ReplyStream> stream) {
  auto finish = [id = std::move(id), error = std::move(error), stream = std::move(stream)] {
    stream->Finish(ErrorText(id, error), error.code);
  };
  return {finish, finish, {}};
}

}  // namespace

LineClient::LineClient(Service& service, Hub& hub, LineWriter& writer)
    : writer_(writer),
      reply_(std::make_shared<LineReply>(writer)),
      tasks_(std::make_shared<Tasks>(service, hub)),
      stateless_(service, hub, tasks_),
      session_(service, hub, Principal{}, reply_, nullptr, tasks_) {}

LineClient::~LineClient() = default;

Job LineClient::AcceptStateless(Request request, std::shared_ptr<ReplyStream> stream) {
  std::optional<std::stop_source> stop = running_.Begin(request.id);
  if (!stop) {
    return Answer(std::move(request.id),
                  {RpcCode::kInvalidRequest, "a request of this id is being answered"},
                  std::move(stream));
  }
  auto counted = std::make_shared<Counted>(running_, request.id, std::move(stream));
  return stateless_.Accept(std::move(request), Principal{}, std::move(counted), *stop);
}

std::optional<Job> LineClient::AcceptMessage(Message message,
                                             const std::shared_ptr<ReplyStream>& stream) {
  if (auto* const malformed = std::get_if<Malformed>(&message)) {
    return Answer(std::move(malformed->id), std::move(malformed->error), stream);
  }
  if (auto* const response = std::get_if<Response>(&message)) {
    session_.Accept(std::move(*response));
    return std::nullopt;
  }
  if (auto* const notification = std::get_if<Notification>(&message)) {
    if (const std::optional<Id> id = CancelledId(*notification)) running_.Cancel(*id);
    session_.Accept(*notification);
    return std::nullopt;
  }
  auto& request = std::get<Request>(message);
  if (IsStateless(request)) return AcceptStateless(std::move(request), stream);
  return session_.Accept(std::move(request), stream);
}

void LineClient::Accept(std::string_view line, std::vector<Job>& jobs) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return;
  const bool batches = session_.initialized() && session_.revision() == Revision::k2025_03_26;
  std::optional<std::vector<Message>> batch;
  if (line[begin] == '[' && batches) batch = ParseBatch(line);
  if (!batch) {
    std::optional<Job> job = AcceptMessage(ParseMessage(line), reply_);
    if (job) jobs.push_back(std::move(*job));
    return;
  }
  std::size_t parts = 0;
  for (const Message& message : *batch) {
    parts += std::holds_alternative<Request>(message) || std::holds_alternative<Malformed>(message);
  }
  const auto whole = std::make_shared<BatchReply>(writer_, parts);
  for (Message& message : *batch) {
    std::optional<Job> job = AcceptMessage(std::move(message), std::make_shared<BatchPart>(whole));
    if (job) jobs.push_back(std::move(*job));
  }
}

void LineClient::RefuseLine() {
  writer_.Answer(ErrorText(std::nullopt, {RpcCode::kInvalidRequest, "the message is too long"}));
}

void LineClient::EndInput() { session_.EndInput(); }

void LineClient::Close() {
  stateless_.EndListening();
  session_.Close();
  running_.CancelAll();
  tasks_->Close();
}

}  // namespace cordon::mcp
