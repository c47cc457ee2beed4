#include "serve/tar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/try.h"

namespace cordon::serve {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kLongestName = 64 * 1024;

struct Field {
  std::size_t at, length;
};
constexpr Field kName{0, 100}, kMode{100, 8}, kOwner{108, 8}, kGroup{116, 8}, kSize{124, 12},
    kTime{136, 12}, kChecksum{148, 8}, kTarget{157, 100}, kMagic{257, 8}, kPrefix{345, 155};
constexpr std::size_t kType = 156;

Error Bad(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "archive";
  error.component = "archive";
  error.detail = std::move(detail);
  return error;
}

void PutOctal(std::string& block, Field field, std::uint64_t value) {
  for (std::size_t i = field.length - 1; i-- > 0; value >>= 3) {
    block[field.at + i] = static_cast<char>('0' + (value & 7));
  }
}

void PutText(std::string& block, Field field, std::string_view text) {
  block.replace(field.at, std::min(field.length, text.size()), text.substr(0, field.length));
}

std::uint64_t ChecksumOf(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool inside = i >= kChecksum.at && i < kChecksum.at + kChecksum.length;
    sum += inside ? ' ' : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

std::string Block(const TarEntry& entry, char type, std::uint64_t size) {
  std::string block(kBlock, '\0');
  PutText(block, kName, entry.name);
  PutOctal(block, kMode, entry.mode);
  PutOctal(block, kOwner, 0);
  PutOctal(block, kGroup, 0);
  PutOctal(block, kSize, size);
  PutOctal(block, kTime, entry.modified < 0 ? 0 : static_cast<std::uint64_t>(entry.modified));
  block[kType] = type;
  PutText(block, kTarget, entry.target);
  PutText(block, kMagic, std::string_view("ustar\00000", 8));
  PutOctal(block, {kChecksum.at, kChecksum.length - 1}, ChecksumOf(block));
  block[kChecksum.at + kChecksum.length - 1] = ' ';
  return block;
}

// "LENGTH key=value\n", where the length counts itself.
std::string Extended(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) ++length;
  std::string record = std::to_string(length);
  record.append(" ").append(key).append("=").append(value).append("\n");
  return record;
}

std::string_view TextOf(std::string_view block, Field field) {
  const std::string_view text = block.substr(field.at, field.length);
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

Result<std::uint64_t> NumberOf(std::string_view block, Field field) {
  const std::string_view raw = block.substr(field.at, field.length);
  if ((static_cast<unsigned char>(raw.front()) & 0x80) != 0) {  // in base 256, as GNU has it
    std::uint64_t value = static_cast<unsigned char>(raw.front()) & 0x7f;
    for (const char byte : raw.substr(1)) {
      if (value >> 55 != 0) return Bad("a number is too large");
      value = value << 8 | static_cast<unsigned char>(byte);
    }
    return value;
  }
  std::string_view text = TextOf(block, field);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::uint64_t value = 0;
  if (text.empty()) return value;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  if (failed != std::errc() || end != text.data() + text.size()) return Bad("this is no number");
  return value;
}

// Below the root it will be put in, by text.
Result<std::string> CleanName(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return Bad("an entry has no name");
  if (name.front() == '/') return Bad("an entry's name is absolute");
  std::string clean;
  while (!name.empty()) {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    name.remove_prefix(std::min(slash + 1, name.size()));
    if (part == "..") return Bad("an entry's name leads out of the archive");
    if (part.empty() || part == ".") continue;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  return clean.empty() ? std::string(".") : clean;
}

}  // namespace

std::string TarHeader(const TarEntry& entry) {
  char type = '0';
  if (entry.type == TarEntry::Type::kDirectory) type = '5';
  if (entry.type == TarEntry::Type::kLink) type = '2';
  std::string records;
  if (entry.name.size() > kName.length) records += Extended("path", entry.name);
  if (entry.target.size() > kTarget.length) records += Extended("linkpath", entry.target);
  constexpr std::uint64_t kLargestOctal = (std::uint64_t{1} << 33) - 1;
  if (entry.size > kLargestOctal) records += Extended("size", std::to_string(entry.size));
  std::string header;
  if (!records.empty()) {
    TarEntry extension;
    extension.name = "pax";
    header += Block(extension, 'x', records.size());
    header += records;
    header += TarPadding(records.size());
  }
  header += Block(entry, type, entry.type == TarEntry::Type::kFile ? entry.size : 0);
  return header;
}

std::string TarPadding(std::uint64_t size) {
  return std::string((kBlock - size % kBlock) % kBlock, '\0');
}

std::string TarEnd() { return std::string(2 * kBlock, '\0'); }

Result<std::optional<std::size_t>> TarHeadSize(std::string_view bytes) {
  std::size_t at = 0;
  while (bytes.size() - at >= kBlock) {
    const std::string_view block = bytes.substr(at, kBlock);
    if (block.find_first_not_of('\0') == std::string_view::npos) return std::optional(at);
    const char type = block[kType];
    at += kBlock;
    if (type != 'x' && type != 'g' && type != 'L' && type != 'K') return std::optional(at);
    TRY_ASSIGN(const std::uint64_t size, NumberOf(block, kSize));
    if (size > 4 * kLongestName) return Bad("an extended header is too long");
    at += size + (kBlock - size % kBlock) % kBlock;
    if (at > bytes.size()) break;
  }
  return std::optional<std::size_t>();
}

Result<std::string_view> TarReader::Take(std::uint64_t count) {
  if (count > rest_.size()) return Bad("the archive ends too early");
  const std::string_view taken = rest_.substr(0, count);
  const std::uint64_t padded = count + (kBlock - count % kBlock) % kBlock;
  rest_.remove_prefix(std::min<std::uint64_t>(padded, rest_.size()));
  return taken;
}

Status TarReader::ReadExtended(std::string_view records) {
  while (!records.empty()) {
    const std::size_t blank = records.find(' ');
    std::size_t length = 0;
    const std::string_view digits = records.substr(0, std::min(blank, records.size()));
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (parsed.ec != std::errc() || blank == std::string_view::npos || length <= blank + 1 ||
        length > records.size()) {
      return Bad("an extended header cannot be read");
    }
    const std::string_view pair = records.substr(blank + 1, length - blank - 2);
    records.remove_prefix(length);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view key = pair.substr(0, equals);
    const std::string_view value = pair.substr(std::min(equals + 1, pair.size()));
    if (key == "path") long_name_ = value;
    if (key == "linkpath") long_target_ = value;
    if (key.starts_with("GNU.sparse")) return Bad("sparse files are not taken");
    if (key != "size") continue;
    std::uint64_t size = 0;
    const auto number = std::from_chars(value.data(), value.data() + value.size(), size);
    if (number.ec != std::errc()) return Bad("an extended header cannot be read");
    long_size_ = size;
  }
  return {};
}

Result<TarEntry> TarReader::ReadEntry(std::string_view block, std::uint64_t size) {
  TarEntry entry;
  std::string name(TextOf(block, kName));
  const std::string_view prefix = TextOf(block, kPrefix);
  if (!prefix.empty() && block[kMagic.at + 5] == '\0') {  // POSIX's form, not GNU's own
    name.insert(0, std::string(prefix) + "/");
  }
  if (long_name_) name = *std::exchange(long_name_, std::nullopt);
  TRY_ASSIGN(entry.name, CleanName(name));
  entry.target = TextOf(block, kTarget);
  if (long_target_) entry.target = *std::exchange(long_target_, std::nullopt);
  if (long_size_) size = *std::exchange(long_size_, std::nullopt);
  TRY_ASSIGN(const std::uint64_t mode, NumberOf(block, kMode));
  entry.mode = static_cast<std::uint32_t>(mode & 0777);
  const char type = block[kType];
  if (type == '5') {
    entry.type = TarEntry::Type::kDirectory;
  } else if (type == '2') {
    entry.type = TarEntry::Type::kLink;
  } else if (type == '0' || type == '\0') {
    entry.size = size;
  } else {
    return Bad("only files, directories and symbolic links are taken");
  }
  return entry;
}

Result<std::optional<TarReader::Item>> TarReader::Next() {
  TRY_ASSIGN(std::optional<TarEntry> entry, NextHead());
  if (!entry) return std::optional<Item>();
  Item item{std::move(*entry), {}};
  if (item.entry.type == TarEntry::Type::kFile) {
    TRY_ASSIGN(item.content, Take(item.entry.size));
  }
  return std::optional<Item>(std::move(item));
}

Result<std::optional<TarEntry>> TarReader::NextHead() {
  while (!rest_.empty()) {
    TRY_ASSIGN(const std::string_view block, Take(kBlock));
    if (block.find_first_not_of('\0') == std::string_view::npos) break;
    TRY_ASSIGN(const std::uint64_t checksum, NumberOf(block, kChecksum));
    if (checksum != ChecksumOf(block)) return Bad("this is no archive, or a damaged one");
    TRY_ASSIGN(const std::uint64_t size, NumberOf(block, kSize));
    const char type = block[kType];
    if (type != 'x' && type != 'g' && type != 'L' && type != 'K') {
      TRY_ASSIGN(TarEntry entry, ReadEntry(block, size));
      return std::optional<TarEntry>(std::move(entry));
    }
    TRY_ASSIGN(const std::string_view content, Take(size));
    const std::string_view text = content.substr(0, std::min(content.find('\0'), content.size()));
    if (type == 'x') TRY(ReadExtended(content));
    if (type == 'L') long_name_ = text;
    if (type == 'K') long_target_ = text;
  }
  return std::optional<TarEntry>();
}

}  // namespace cordon::serve
