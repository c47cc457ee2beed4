// What a client asks for during a race, and what it is told.
#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/mcp/race/arena.h"

namespace cordon::testing {

struct Request {
  std::string name;  // of the tool, or the method
  std::string method;
  boost::json::value params;
};

enum class Reach {
  kThrough,  // what lies behind the contested name is used and changed
  kAlso,     // the contested name itself is moved and removed as well
};

// Every tool that touches files, and resources, once by relative and once by absolute paths.
std::vector<Request> EveryWay(const Duel& duel, const std::string& root, Reach reach);
// Only reading a file and writing one, which servers of all kinds understand.
std::vector<Request> ReadAndWrite(const Duel& duel, const std::string& root);

// One message, without an end of line.
std::string Message(const Request& request, std::size_t id);
std::string InitializeMessage();

struct Counts {
  unsigned long done = 0, refused = 0;
};

struct Heard {
  std::map<std::string, Counts> by_name;
  std::vector<std::string> leaks;    // the first few
  std::set<std::string> left_aside;  // names that refusals told
  double longest_ms = 0;

  // A reply; `request` is what it answers.
  void Add(const Request& request, const std::string& reply, double milliseconds);
  Counts Sum() const;
};

}  // namespace cordon::testing
