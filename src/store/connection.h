// One connection to the file, with the statements it has prepared so far.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "store/statement.h"

struct sqlite3;

namespace cordon::store {

// What SQLite last said on this connection. kAlreadyExists for a name that is taken, kNotFound for
// a reference to what is not there, kIoError for all else.
Error ErrorOf(sqlite3* database);

// What a commit survives.
enum class Durability {
  kKill,   // of the process, at any instant
  kPower,  // a failure of the power as well: waits for the disk
};

// Guarantees: references are checked; it waits ten seconds for other processes before it gives up.
// Thread safety: one thread at a time.
class Connection {
 public:
  enum class Use { kReadWrite, kRead };
  // `path` must exist already, without a link in it; or be ":memory:".
  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Use use);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Prepared once and kept. Of one text, one statement can be in use at a time.
  Statement Prepare(std::string_view sql);
  // For the commits from here on; not within a transaction. At first it is kPower.
  Status SetDurability(Durability durability);
  // Any number of statements, none of which gives a row that matters.
  Status Execute(const char* sql);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Connection(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
  Durability durability_ = Durability::kPower;
  // After the database: they must be gone before it.
  std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, std::less<>> prepared_;
};

}  // namespace cordon::store
