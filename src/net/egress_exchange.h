// One request passed on to a host, and its reply passed back.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/egress_record.h"
#include "net/egress_session.h"
#include "net/egress_target.h"
#include "net/http_text.h"

namespace cordon::net {

// Body and reply go at the same time, a piece of each at most. Everything is parsed and said
// anew, so that two readers cannot disagree about where something ends. Of the session that
// owns it.
class EgressExchange : public std::enable_shared_from_this<EgressExchange> {
 public:
  using Socket = EgressSession::Socket;
  using RequestParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
  using ReplyParser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;

  struct Client {
    EgressSession& session;
    Socket& socket;
    boost::beast::flat_buffer& buffer;
    RequestParser& request;  // its head is read
  };
  enum class Outcome {
    kKeepAlive,
    kClose,    // after the reply
    kCut,      // something broke in the middle of it
    kNoReply,  // nothing was said to the client yet
  };
  struct Job {
    Client client;
    Socket host;
    HttpFields fields;
    ForwardTarget target;
    std::chrono::milliseconds idle_time;
    std::size_t head_limit;
  };
  EgressExchange(Job job, std::shared_ptr<EgressRecord> record);

  void Begin(std::function<void(Outcome)> done);
  void Stop();  // nothing is told after it

 private:
  static constexpr std::size_t kPiece = std::size_t{16} << 10;
  template <typename Work>
  auto Handler(Work work);
  void SendHead();
  void ReadUp();
  void OnUp(boost::system::error_code failed);
  void WriteUp(std::string text);
  void ReadReplyHead();
  void OnReplyHead(const boost::system::error_code& failed);
  void ReadDown();
  void OnDown(boost::system::error_code failed);
  void WriteDown(std::string text);
  void Finish(Outcome outcome);

  Job job_;
  std::shared_ptr<EgressRecord> record_;
  std::function<void(Outcome)> done_;
  boost::beast::flat_buffer host_buffer_;
  std::optional<ReplyParser> reply_;
  Framing up_framing_ = Framing::kLength;
  Framing down_framing_ = Framing::kLength;
  bool up_done_ = false;
  bool down_done_ = false;
  Afterwards afterwards_ = Afterwards::kClose;
  int interim_ = 0;  // replies before the last
  std::array<char, kPiece> up_ = {};
  std::array<char, kPiece> down_ = {};
  std::string up_text_;
  std::string down_text_;
};

HttpFields FieldsOf(const boost::beast::http::fields& fields);

}  // namespace cordon::net
