#include "inside/file_wire.h"

#include <algorithm>
#include <utility>

#include "base/try.h"

namespace cordon::inside {
namespace {

constexpr std::size_t kHead = 4;
constexpr char kMore = 'm', kLast = 'l';
constexpr std::size_t kLongestErrorText = 4096;
constexpr std::size_t kMostItems = 4096;  // of lists in options and terms

std::uint64_t BigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

void AppendBigEndian(std::string& to, std::uint64_t number, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
    to += static_cast<char>(static_cast<unsigned char>(number >> shift));
  }
}

Error Unreadable() {
  Error error;
  error.op = "inside";
  error.detail = "a message cannot be read";
  return error;
}

}  // namespace

std::string Framed(std::string_view whole) {
  std::string framed;
  framed.reserve(whole.size() + kHead + 1);
  do {
    const std::string_view piece = whole.substr(0, kLongestMessage - 1);
    whole.remove_prefix(piece.size());
    AppendBigEndian(framed, piece.size() + 1, kHead);
    framed += whole.empty() ? kLast : kMore;
    framed += piece;
  } while (!whole.empty());
  return framed;
}

Result<std::optional<std::string>> MessageReader::Next() {
  std::size_t at = 0;
  const auto keep_rest = [&] {
    held_.erase(0, at);
    return std::optional<std::string>();
  };
  while (true) {
    const std::string_view left = std::string_view(held_).substr(at);
    if (left.size() < kHead) return keep_rest();
    const std::size_t size = BigEndian(left.substr(0, kHead));
    if (size == 0 || size > kLongestMessage || whole_.size() + size - 1 > most_) {
      return Unreadable();
    }
    if (left.size() < kHead + size) return keep_rest();
    const char kind = left[kHead];
    if (kind != kMore && kind != kLast) return Unreadable();
    whole_ += left.substr(kHead + 1, size - 1);
    at += kHead + size;
    if (kind == kMore) continue;
    held_.erase(0, at);
    return std::optional<std::string>(std::exchange(whole_, {}));
  }
}

FieldWriter& FieldWriter::Byte(std::uint8_t byte) {
  bytes_ += static_cast<char>(byte);
  return *this;
}

FieldWriter& FieldWriter::Number(std::uint64_t number) {
  AppendBigEndian(bytes_, number, 8);
  return *this;
}

FieldWriter& FieldWriter::Text(std::string_view text) {
  AppendBigEndian(bytes_, text.size(), 4);
  bytes_ += text;
  return *this;
}

FieldWriter& FieldWriter::Put(const platform::FileStat& stat) {
  Choice(stat.type);
  for (const std::uint64_t number :
       {stat.identity.device, stat.identity.inode, std::uint64_t{stat.mode},
        std::uint64_t{stat.owner}, std::uint64_t{stat.group}, stat.links, stat.size,
        static_cast<std::uint64_t>(stat.modified_ns), static_cast<std::uint64_t>(stat.accessed_ns),
        static_cast<std::uint64_t>(stat.created_ns)}) {
    Number(number);
  }
  return *this;
}

platform::FileStat FieldReader::Stat() {
  platform::FileStat stat;
  stat.type = Choice(platform::FileType::kDevice);
  stat.identity.device = Number();
  stat.identity.inode = Number();
  stat.mode = static_cast<std::uint32_t>(Number());
  stat.owner = static_cast<std::uint32_t>(Number());
  stat.group = static_cast<std::uint32_t>(Number());
  stat.links = Number();
  stat.size = Number();
  stat.modified_ns = static_cast<std::int64_t>(Number());
  stat.accessed_ns = static_cast<std::int64_t>(Number());
  stat.created_ns = static_cast<std::int64_t>(Number());
  return stat;
}

FieldWriter& FieldWriter::Put(const confine::Expected& expected) {
  Choice(expected.presence);
  Number(expected.object.device).Number(expected.object.inode);
  Number(expected.directory.device).Number(expected.directory.inode);
  Text(expected.name);
  std::string content;
  if (expected.content) content.assign(expected.content->begin(), expected.content->end());
  return Text(content).Text(expected.temporary);
}

confine::Expected FieldReader::Expected() {
  confine::Expected expected;
  expected.presence = Choice(confine::Presence::kPresent);
  expected.object.device = Number();
  expected.object.inode = Number();
  expected.directory.device = Number();
  expected.directory.inode = Number();
  expected.name = Text();
  const std::string_view content = Text();
  expected.temporary = Text();
  if (content.empty()) return expected;
  Digest digest;
  if (content.size() != digest.size()) {
    good_ = false;
    return expected;
  }
  std::copy(content.begin(), content.end(), digest.begin());
  expected.content = digest;
  return expected;
}

FieldWriter& FieldWriter::Put(const std::optional<std::uint32_t>& mode) {
  Byte(mode ? 1 : 0);
  return Number(mode.value_or(0));
}

std::optional<std::uint32_t> FieldReader::Mode() {
  const bool given = Byte() != 0;
  const auto mode = static_cast<std::uint32_t>(Number());
  return given ? std::optional(mode) : std::nullopt;
}

FieldWriter& FieldWriter::Put(const std::optional<confine::FileTerms>& terms) {
  Byte(terms ? 1 : 0);
  if (!terms) return *this;
  Number(terms->mode).Number(static_cast<std::uint64_t>(terms->modified_ns));
  Number(terms->attributes.size());
  for (const platform::Attribute& one : terms->attributes) Text(one.name).Text(one.value);
  return *this;
}

std::optional<confine::FileTerms> FieldReader::Terms() {
  if (Byte() == 0) return std::nullopt;
  confine::FileTerms terms;
  terms.mode = static_cast<std::uint32_t>(Number());
  terms.modified_ns = static_cast<std::int64_t>(Number());
  const std::uint64_t count = Number();
  if (count > kMostItems) good_ = false;
  for (std::uint64_t i = 0; i < count && good_; ++i) {
    platform::Attribute one;
    one.name = Text();
    one.value = Text();
    terms.attributes.push_back(std::move(one));
  }
  return terms;
}

FieldWriter& FieldWriter::Put(const confine::RootOptions& options) {
  Choice(options.hard_links).Choice(options.access).Text(options.seen_as);
  Number(static_cast<std::uint64_t>(options.assumed_name_rules));
  Number(static_cast<std::uint64_t>(options.race_deadline.count()));
  static const std::vector<policy::DenyRule> kNone;
  const std::vector<policy::DenyRule>& rules = options.deny ? options.deny->rules() : kNone;
  Number(rules.size());
  for (const policy::DenyRule& rule : rules) {
    Text(rule.pattern).Number(rule.except.size());
    for (const std::string& except : rule.except) Text(except);
    Number(rule.operations.to_ulong()).Text(rule.reason).Text(rule.origin);
  }
  return *this;
}

Result<confine::RootOptions> FieldReader::Options() {
  confine::RootOptions options;
  options.hard_links = Choice(policy::HardLinks::kReadOnly);
  options.access = Choice(confine::RootAccess::kReadOnly);
  options.seen_as = Text();
  options.assumed_name_rules =
      static_cast<path::NameRules>(Number() & static_cast<unsigned>(path::NameRules::kAll));
  options.race_deadline = std::chrono::milliseconds(std::min<std::uint64_t>(Number(), 60'000));
  std::vector<policy::DenyRule> rules;
  const std::uint64_t count = Number();
  if (count > kMostItems) good_ = false;
  for (std::uint64_t i = 0; i < count && good_; ++i) {
    policy::DenyRule rule;
    rule.pattern = Text();
    const std::uint64_t exceptions = Number();
    if (exceptions > kMostItems) good_ = false;
    for (std::uint64_t k = 0; k < exceptions && good_; ++k) rule.except.emplace_back(Text());
    rule.operations = policy::OperationSet(Number());
    rule.reason = Text();
    rule.origin = Text();
    rules.push_back(std::move(rule));
  }
  if (!good_) return Unreadable();
  TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(std::move(rules)));
  options.deny = std::make_shared<const policy::DenyList>(std::move(list));
  return options;
}

FieldWriter& FieldWriter::Put(const Error& error) {
  Choice(error.code).Choice(error.violation).Number(static_cast<std::uint64_t>(error.os_errno));
  const auto text = [this](std::string_view whole) { Text(whole.substr(0, kLongestErrorText)); };
  text(error.rule);
  text(error.component);
  text(error.detail);
  return *this;
}

Error FieldReader::TakeError() {
  Error error;
  error.op = "inside";
  error.code = Choice(ErrorCode::kIoError);
  error.violation = Choice(Violation::kDenylist);
  error.os_errno = static_cast<int>(Number() & 0xffff);
  error.rule = Text().substr(0, kLongestErrorText);
  error.component = Text().substr(0, kLongestErrorText);
  error.detail = Text().substr(0, kLongestErrorText);
  return good_ ? error : Unreadable();
}

std::uint8_t FieldReader::Byte() {
  if (left_.empty()) good_ = false;
  if (!good_) return 0;
  const auto byte = static_cast<std::uint8_t>(left_.front());
  left_.remove_prefix(1);
  return byte;
}

std::uint64_t FieldReader::Number() {
  if (left_.size() < 8) good_ = false;
  if (!good_) return 0;
  const std::uint64_t number = BigEndian(left_.substr(0, 8));
  left_.remove_prefix(8);
  return number;
}

std::string_view FieldReader::Text() {
  if (left_.size() < 4) good_ = false;
  if (!good_) return {};
  const std::size_t size = BigEndian(left_.substr(0, 4));
  left_.remove_prefix(4);
  if (left_.size() < size) good_ = false;
  if (!good_) return {};
  const std::string_view text = left_.substr(0, size);
  left_.remove_prefix(size);
  return text;
}

}  // namespace cordon::inside
