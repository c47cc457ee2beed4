// An HTTP/1.1 message as it comes in, piece by piece, read by a parser that knows no leniency.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cordon::preview {

struct Field {
  boost::beast::http::field known = boost::beast::http::field::unknown;
  std::string_view name, value;
};
using Fields = std::vector<Field>;

// What stands before the body. Views into the text it was read from.
struct Head {
  std::string_view method, target;  // of a request
  int status = 0;                   // of a reply
  std::string_view reason;
  int version = 11;
  Fields fields;

  // The only one of this name. Unset if there is none, or more than one.
  std::optional<std::string_view> Only(boost::beast::http::field known) const;
  std::size_t Count(boost::beast::http::field known) const;
  void Clear();
};

// Where the head ends: the length of it with the empty line. Unset: not yet.
std::optional<std::size_t> HeadLength(std::string_view text);

enum class Kind { kRequest, kReply };

// One message. First the whole head, then the body in any pieces.
// Guarantees: refuses lines that do not end in CR LF, folded fields, blanks before colons, control
//   characters, more than one length, a length beside a transfer coding, transfer codings other
//   than chunked, and chunks that are not as they should be.
template <Kind kKind>
class Message final : public boost::beast::http::basic_parser<kKind == Kind::kRequest> {
 public:
  Message();

  enum class Body { kFramed, kNone };  // kNone: the reply to HEAD
  // `text` is the head and perhaps more; nothing after the head is looked at. False: malformed.
  bool ReadHead(std::string_view text, Head& head, Body body);

  struct Took {
    std::size_t count = 0;  // bytes that belong to this message
    bool good = true;
  };
  // Appends to `pieces` what of `raw` is content, without what frames it.
  Took Take(std::string_view raw, std::vector<std::string_view>& pieces);
  // The connection has ended. False: in the middle.
  bool End();

 private:
  using Base = boost::beast::http::basic_parser<kKind == Kind::kRequest>;
  using Failure = boost::beast::error_code;
  using View = boost::beast::string_view;
  void on_request_impl(boost::beast::http::verb verb, View method, View target, int version,
                       Failure& failed) override;
  void on_response_impl(int status, View reason, int version, Failure& failed) override;
  void on_field_impl(boost::beast::http::field known, View name, View value,
                     Failure& failed) override;
  void on_header_impl(Failure& failed) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Failure& failed) override;
  std::size_t on_body_impl(View body, Failure& failed) override;
  void on_chunk_header_impl(std::uint64_t size, View extensions, Failure& failed) override;
  std::size_t on_chunk_body_impl(std::uint64_t remain, View body, Failure& failed) override;
  void on_finish_impl(Failure& failed) override;

  Head* head_ = nullptr;  // while the head is read
  std::vector<std::string_view>* pieces_ = nullptr;
};

using Request = Message<Kind::kRequest>;
using Reply = Message<Kind::kReply>;

}  // namespace cordon::preview
