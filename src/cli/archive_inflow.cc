#include "cli/archive_inflow.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::cli {
namespace {

using Type = serve::TarEntry::Type;

std::string ParentOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

void ArchiveInflow::LeaveOut(const serve::TarEntry& entry, const Error& error) {
  const std::string why =
      error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
  left_out_.push_back(Quoted(entry.name) + ": " + why);
}

Status ArchiveInflow::Begin(const serve::TarEntry& entry) {
  content_ = entry.type == Type::kFile ? entry.size : 0;
  padding_ = serve::TarPadding(content_).size();
  where_ = Where::kContent;
  if (entry.type == Type::kDirectory) {
    return entry.name == "." ? Status() : root_.MkdirAll(entry.name);
  }
  TRY(root_.MkdirAll(ParentOf(entry.name)));
  if (entry.type == Type::kLink) {
    Status made = root_.Symlink(entry.target, entry.name);
    if (!made && made.error().code == ErrorCode::kAlreadyExists) {
      TRY(root_.Remove(entry.name));
      made = root_.Symlink(entry.target, entry.name);
    }
    if (!made) LeaveOut(entry, made.error());
    return {};
  }
  auto file = root_.Replace(entry.name);
  if (!file) {  // its bytes are passed over
    LeaveOut(entry, file.error());
    return {};
  }
  file_ = std::move(*file);
  return file_->SetMode(entry.mode);
}

Status ArchiveInflow::TakeContent(std::string_view& bytes) {
  const std::string_view piece = bytes.substr(0, std::min<std::uint64_t>(content_, bytes.size()));
  bytes.remove_prefix(piece.size());
  content_ -= piece.size();
  if (file_) TRY(file_->Write(piece));
  bytes_ += piece.size();
  return content_ == 0 ? EndFile() : Status();
}

Status ArchiveInflow::EndFile() {
  where_ = Where::kPadding;
  if (!file_) return {};
  TRY(file_->Commit());
  file_.reset();
  ++files_;
  return {};
}

Status ArchiveInflow::Take(std::string_view bytes) {
  while (!bytes.empty()) {
    switch (where_) {
      case Where::kOver: return {};  // archives may be filled up to any length
      case Where::kContent: TRY(TakeContent(bytes)); break;
      case Where::kPadding: {
        const std::uint64_t count = std::min<std::uint64_t>(padding_, bytes.size());
        bytes.remove_prefix(count);
        padding_ -= count;
        if (padding_ == 0) where_ = Where::kHead;
        break;
      }
      case Where::kHead: {
        head_ += bytes;
        TRY_ASSIGN(const auto size, serve::TarHeadSize(head_));
        if (!size) return {};
        const std::string head = head_.substr(0, *size);
        TRY_ASSIGN(const auto entry, serve::TarReader(head).NextHead());
        if (!entry) {
          where_ = Where::kOver;
          return {};
        }
        // A description ends in what has come just now: else it had ended before.
        bytes = bytes.substr(bytes.size() - (head_.size() - *size));
        head_.clear();
        TRY(Begin(*entry));
        if (content_ == 0) TRY(EndFile());
        break;
      }
    }
    // An entry without content has no padding either.
    if (where_ == Where::kPadding && padding_ == 0) where_ = Where::kHead;
  }
  return {};
}

Status ArchiveInflow::Finish() {
  if (where_ == Where::kOver) return {};
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "archive";
  error.detail = "the archive ends too early";
  return error;
}

}  // namespace cordon::cli
