// Terms and outcome of Root::Search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "cordon/error.h"

namespace cordon::confine {

// What of the files the visitor may get.
enum class SearchReach { kNames, kContents };

struct SearchTerms {
  SearchReach reach = SearchReach::kNames;
  std::size_t workers = 0;  // 0: as many as there are processors, within reason
  std::size_t max_depth = 1024;
  std::size_t max_entries = 10'000'000;
  std::stop_token stop;
};

struct SearchOutcome {
  std::uint64_t directories = 0;
  std::uint64_t entries = 0;  // seen, taken or not
  // What could not be looked into: how many, and the first of them.
  struct Failure {
    std::string path;  // below the start
    ErrorCode code = ErrorCode::kIoError;
  };
  std::uint64_t failed = 0;
  std::vector<Failure> failures;
  enum class Start { kDirectory, kFile } start = Start::kDirectory;
  bool stopped = false;  // asked to stop, so not everything was seen
  bool limited = false;  // max_entries or max_depth was reached
};

}  // namespace cordon::confine
