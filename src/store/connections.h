// The connections of one process: one that writes, and some that read beside it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "store/connection.h"

namespace cordon::store {

// A reader does not wait for the disk behind a writer; writers wait for each other here, and not
// by SQLite's polling.
// Thread safety: all methods may run concurrently.
class Connections {
 public:
  // `first` writes; others are opened when they are needed.
  Connections(std::string path, std::unique_ptr<Connection> first);

  // Each is the caller's own for as long as it lives.
  struct Writer {
    std::unique_lock<std::mutex> turn;
    Connection& connection;
  };
  Writer ToWrite();

  class Reader {
   public:
    Reader(Connections& from, std::unique_ptr<Connection> connection);
    Reader(Reader&&) noexcept = default;
    Reader& operator=(Reader&&) = delete;
    ~Reader();
    Connection& connection() const { return *connection_; }

   private:
    Connections* from_;
    std::unique_ptr<Connection> connection_;
  };
  Result<Reader> ToRead();

 private:
  void Return(std::unique_ptr<Connection> connection);

  const std::string path_;
  std::mutex writing_;
  std::unique_ptr<Connection> writer_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;  // guarded by mutex_
};

}  // namespace cordon::store
