#include "tools/edit_failure.h"

#include <boost/json/array.hpp>
#include <utility>

#include "base/printable.h"
#include "tools/nearest.h"

namespace cordon::tools {

namespace json = boost::json;

Failure EditFailure(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "edit";
  error.detail = std::move(detail);
  Failure failure(std::move(error));
  // What the code alone says would not help here.
  if (code == ErrorCode::kNoMatch || code == ErrorCode::kNotText) {
    failure.advice = "This was not done: " + failure.error.detail + ".";
  }
  return failure;
}

Failure NoMatchFailure(std::string_view text, std::string_view wanted, std::string_view what) {
  Failure failure = EditFailure(ErrorCode::kNoMatch, std::string(what) + " is not in the file");
  failure.advice = "There is nothing in the file like " + std::string(what) +
                   ". Read the file again and quote it exactly.";
  const auto nearest = FindNearest(text, wanted);
  if (!nearest) return failure;
  const std::string lines = nearest->first_line == nearest->last_line
                                ? "line " + std::to_string(nearest->first_line)
                                : "lines " + std::to_string(nearest->first_line) + " to " +
                                      std::to_string(nearest->last_line);
  failure.error.detail += "; what comes closest is " + lines;
  failure.advice = "Nothing in the file matches " + std::string(what) +
                   ". What comes closest is at " + lines + "; " + nearest->difference +
                   ". Lines with - are quoted, lines with + are in the file:\n" + nearest->diff +
                   "Quote it as the file has it.";
  failure.data["candidate"] = {{"first_line", nearest->first_line},
                               {"last_line", nearest->last_line},
                               {"text", nearest->text},
                               {"difference", nearest->difference}};
  return failure;
}

Failure NoPatternFailure(std::string_view pattern) {
  Failure failure = EditFailure(ErrorCode::kNoMatch, "the regular expression matches nowhere");
  failure.advice = "The regular expression " + Quoted(pattern) +
                   " matches nowhere in the file. Read the file again.";
  return failure;
}

Failure CountFailure(std::size_t count, std::span<const std::size_t> lines, std::size_t expected) {
  std::string where;
  json::array numbers;
  for (const std::size_t line : lines) {
    where += (where.empty() ? "" : ", ") + std::to_string(line);
    numbers.emplace_back(line);
  }
  if (count > lines.size()) where += " and more";
  const bool more = count > expected;
  const std::string found = std::to_string(count) + (count == 1 ? " place" : " places");
  const std::string matches = found + (count == 1 ? " matches" : " match");
  Failure failure =
      EditFailure(more ? ErrorCode::kAmbiguousMatch : ErrorCode::kNoMatch,
                  matches + ", " + std::to_string(expected) + " expected; at line " + where);
  failure.advice = "There should be " + std::to_string(expected) + ", but " + matches +
                   ", at line " + where + ". " +
                   (more && expected == 1
                        ? "Quote more of the text around the one you mean, or ask for all of them."
                        : "Correct the expected number, or quote something else.");
  failure.data["matches"] = count;
  failure.data["expected"] = expected;
  failure.data["lines"] = std::move(numbers);
  return failure;
}

}  // namespace cordon::tools
