#include "tools/dialect/dialect_menu.h"

#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <exception>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "tools/dialect/translate.h"
#include "tools/dialect/words.h"

namespace cordon::tools::dialect {

namespace json = boost::json;

namespace {

constexpr std::size_t kRoom = 4096;

// For what a call makes only to look at: enough for a small file, and given back at once.
class ScratchMemory {
 public:
  json::storage_ptr storage() { return &memory_; }

 private:
  std::array<unsigned char, kRoom> room_;  // not cleared
  json::monotonic_resource memory_{room_.data(), room_.size()};
};

std::string SuccessTextOf(const Row& row, const Answer& answer, const Scene& scene) {
  if (row.text != nullptr) return row.text(answer, scene);
  return row.words.empty() ? answer.text : Fill(row.words, answer.data, scene.given);
}

}  // namespace

std::vector<json::object> DialectMenu::Declarations() const {
  std::vector<json::object> declarations;
  std::string_view last;
  for (const Row& row : dialect_.rows) {
    if (row.name == last) continue;
    last = row.name;
    const Tool told{row.name,   row.title, row.description, row.tool->kind, row.effect,
                    row.repeat, row.input, row.output,      nullptr};
    declarations.push_back(ToolObject(told, dialect_.others));
  }
  return declarations;
}

const Row* DialectMenu::FirstOf(std::string_view tool) const {
  for (const Row& row : dialect_.rows) {
    if (row.name == tool) return &row;
  }
  return nullptr;
}

const Tool* DialectMenu::Behind(std::string_view tool) const {
  const Tool* most = nullptr;
  for (const Row& row : dialect_.rows) {
    if (row.name != tool) continue;
    if (most == nullptr || row.tool->effect > most->effect) most = row.tool;
  }
  return most;
}

Error DialectMenu::Unknown(std::string_view tool) const {
  Error error;
  error.code = ErrorCode::kUnknownTool;
  error.op = "tool";
  error.component = tool;
  error.detail = "there is no tool " + Quoted(tool) + "; those there are:";
  std::string_view last;
  for (const Row& row : dialect_.rows) {
    if (row.name != last) error.detail += " " + std::string(row.name);
    last = row.name;
  }
  return error;
}

Result<Arguments> DialectMenu::Read(const Row& row, const json::object& arguments) const {
  if (dialect_.check != nullptr) TRY(dialect_.check(row.input, arguments));
  return Arguments::Parse(row.input, arguments, dialect_.others);
}

std::string DialectMenu::Tell(const Failure& failure, const Scene& scene) const {
  if (dialect_.failure != nullptr) return dialect_.failure(failure, scene);
  for (const FailureWords& words : dialect_.failures) {
    if (words.code == failure.error.code) return FillFailure(words.words, failure, scene);
  }
  return TellFailure(failure);
}

Outcome DialectMenu::Attempted(const Row& row, const Arguments& given, guard::Guard& guard,
                               const CallOptions& options, const json::storage_ptr& scratch) const {
  if (dialect_.admit != nullptr) TRY(dialect_.admit(given, guard.boundary()));
  TRY_ASSIGN(const json::object ours, Translate(row, given, scratch));
  CallOptions whole = options;
  if (row.data != nullptr) whole.memory = scratch;
  // Texts are made from the data, which may be told as it is.
  const bool own = row.text != nullptr && row.data != nullptr;
  whole.wanted = own ? Wanted::kWords : Wanted::kDataAndText;
  return Run(*row.tool, guard, ours, whole);
}

DialectMenu::Ended DialectMenu::Perform(std::string_view tool, const json::object& arguments,
                                        guard::Guard& guard, const CallOptions& options) const {
  const Arguments none;
  const Row* const first = FirstOf(tool);
  if (first == nullptr) {
    const Failure failure(Unknown(tool));
    return {failure, Tell(failure, {tool, {}, {}, none, guard.boundary()})};
  }
  const Result<Arguments> given = Read(*first, arguments);
  if (!given) {
    const Failure failure(given.error());
    return {failure, Tell(failure, {tool, first->operation, {}, none, guard.boundary()})};
  }
  std::optional<Failure> failed;
  const Row* last = first;
  ScratchMemory scratch;  // outlives what lives in it
  for (const Row& row : dialect_.rows) {
    if (row.name != tool) continue;
    if (!row.when.empty() && given->Text(dialect_.selector) != row.when) continue;
    if (failed && failed->error.code != row.after) break;
    if (!failed && row.after) continue;
    last = &row;
    Outcome outcome = Attempted(row, *given, guard, options, scratch.storage());
    if (!outcome) {
      failed = std::move(outcome.error());
      continue;
    }
    const Scene scene{tool, row.operation, row.words, *given, guard.boundary(), options.memory};
    std::string text = SuccessTextOf(row, *outcome, scene);
    if (row.data == nullptr) return {std::move(outcome), std::move(text)};
    // Made anew: to assign the data would copy it into the memory of the old.
    Answer theirs{row.data(*outcome, scene, text), std::move(outcome->text),
                  std::move(outcome->attachments), std::move(outcome->changed)};
    return {std::move(theirs), std::move(text)};
  }
  if (!failed) failed = Failure(Unknown(tool));  // no row for the selector's value
  std::string text = Tell(*failed, {tool, last->operation, {}, *given, guard.boundary()});
  return {*std::move(failed), std::move(text)};
}

Served DialectMenu::Call(std::string_view tool, const json::object& arguments, guard::Guard& guard,
                         const CallOptions& options) const {
  try {
    Ended ended = Perform(tool, arguments, guard, options);
    return {std::move(ended.outcome), std::move(ended.text)};
  } catch (const std::exception& thrown) {  // memory, and what libraries throw for it
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.op = "dialect";
    error.detail = thrown.what();
    Failure failure(std::move(error));
    std::string text = TellFailure(failure);
    return {std::move(failure), std::move(text)};
  }
}

}  // namespace cordon::tools::dialect
