#include "preview/message.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <limits>

namespace cordon::preview {
namespace {

namespace http = boost::beast::http;

std::string_view Std(boost::beast::string_view view) { return {view.data(), view.size()}; }

// A line that begins with a blank goes on with the field before it: the parser would join them.
bool HasFold(std::string_view head) {
  for (std::size_t at = head.find('\n'); at + 1 < head.size(); at = head.find('\n', at + 1)) {
    if (at == std::string_view::npos) return false;
    if (head[at + 1] == ' ' || head[at + 1] == '\t') return true;
  }
  return false;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

}  // namespace

std::optional<std::string_view> Head::Only(http::field known) const {
  std::optional<std::string_view> found;
  for (const Field& field : fields) {
    if (field.known != known) continue;
    if (found) return std::nullopt;
    found = field.value;
  }
  return found;
}

std::size_t Head::Count(http::field known) const {
  return static_cast<std::size_t>(std::count_if(
      fields.begin(), fields.end(), [known](const Field& field) { return field.known == known; }));
}

void Head::Clear() {
  fields.clear();
  method = target = reason = {};
  status = 0;
}

std::optional<std::size_t> HeadLength(std::string_view text) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  return end + 4;
}

template <Kind kKind>
Message<kKind>::Message() {
  // Bodies go through without being kept, so that none is too long.
  this->body_limit(boost::none);
  this->header_limit(std::numeric_limits<std::uint32_t>::max());  // the caller's business
}

template <Kind kKind>
bool Message<kKind>::ReadHead(std::string_view text, Head& head, Body body) {
  const auto length = HeadLength(text);
  if (!length) return false;
  text = text.substr(0, *length);
  if (HasFold(text)) return false;
  head.Clear();
  head_ = &head;
  if constexpr (kKind == Kind::kReply) this->skip(body == Body::kNone);
  this->eager(false);
  Failure failed;
  const std::size_t used = this->put(boost::asio::const_buffer(text.data(), text.size()), failed);
  head_ = nullptr;
  this->eager(true);
  return !failed && used == text.size() && this->is_header_done();
}

template <Kind kKind>
typename Message<kKind>::Took Message<kKind>::Take(std::string_view raw,
                                                   std::vector<std::string_view>& pieces) {
  Took took;
  pieces_ = &pieces;
  while (!raw.empty() && !this->is_done()) {
    Failure failed;
    const std::size_t used = this->put(boost::asio::const_buffer(raw.data(), raw.size()), failed);
    took.count += used;
    raw.remove_prefix(used);
    if (failed == http::error::need_more) break;
    if (failed) {
      took.good = false;
      break;
    }
    if (used == 0) break;
  }
  pieces_ = nullptr;
  return took;
}

template <Kind kKind>
bool Message<kKind>::End() {
  if (this->is_done()) return true;
  Failure failed;
  this->put_eof(failed);
  return !failed && this->is_done();
}

template <Kind kKind>
void Message<kKind>::on_request_impl(http::verb /*verb*/, View method, View target, int version,
                                     Failure& /*failed*/) {
  head_->method = Std(method);
  head_->target = Std(target);
  head_->version = version;
}

template <Kind kKind>
void Message<kKind>::on_response_impl(int status, View reason, int version, Failure& failed) {
  if (std::any_of(reason.begin(), reason.end(), IsControl)) failed = http::error::bad_reason;
  head_->status = status;
  head_->reason = Std(reason);
  head_->version = version;
}

template <Kind kKind>
void Message<kKind>::on_field_impl(http::field known, View name, View value, Failure& failed) {
  if (std::any_of(value.begin(), value.end(), IsControl)) {
    failed = http::error::bad_value;
    return;
  }
  // Behind the body they are checked, and let go.
  if (head_ != nullptr) head_->fields.push_back({known, Std(name), Std(value)});
}

template <Kind kKind>
void Message<kKind>::on_header_impl(Failure& /*failed*/) {}
template <Kind kKind>
void Message<kKind>::on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                                       Failure& /*failed*/) {}

template <Kind kKind>
std::size_t Message<kKind>::on_body_impl(View body, Failure& /*failed*/) {
  pieces_->push_back(Std(body));
  return body.size();
}

template <Kind kKind>
void Message<kKind>::on_chunk_header_impl(std::uint64_t /*size*/, View /*extensions*/,
                                          Failure& /*failed*/) {}

template <Kind kKind>
std::size_t Message<kKind>::on_chunk_body_impl(std::uint64_t /*remain*/, View body,
                                               Failure& /*failed*/) {
  if (!body.empty()) pieces_->push_back(Std(body));
  return body.size();
}

template <Kind kKind>
void Message<kKind>::on_finish_impl(Failure& /*failed*/) {}

template class Message<Kind::kRequest>;
template class Message<Kind::kReply>;

}  // namespace cordon::preview
