#include "store/connections.h"

#include <utility>

#include "base/try.h"

namespace cordon::store {
namespace {

// More may be in use at a time; this many are kept.
constexpr std::size_t kKept = 8;

}  // namespace

Connections::Connections(std::string path, std::unique_ptr<Connection> first)
    : path_(std::move(path)), writer_(std::move(first)) {}

Connections::Writer Connections::ToWrite() {
  return Writer{std::unique_lock<std::mutex>(writing_), *writer_};
}

Result<Connections::Reader> Connections::ToRead() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return Reader(*this, std::move(connection));
    }
  }
  TRY_ASSIGN(std::unique_ptr<Connection> connection,
             Connection::Open(path_, Connection::Use::kRead));
  return Reader(*this, std::move(connection));
}

void Connections::Return(std::unique_ptr<Connection> connection) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.size() < kKept) idle_.push_back(std::move(connection));
}

Connections::Reader::Reader(Connections& from, std::unique_ptr<Connection> connection)
    : from_(&from), connection_(std::move(connection)) {}

Connections::Reader::~Reader() {
  if (connection_) from_->Return(std::move(connection_));
}

}  // namespace cordon::store
