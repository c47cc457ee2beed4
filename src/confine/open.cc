// Root::Open and Root::Stat: one object, by descriptor.
#include <optional>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;

struct ModeFacts {
  OpenIntent intent;
  Operation operation;
  WriteStyle style;
  std::optional<Operation> also = std::nullopt;  // what the descriptor allows beside it
};

ModeFacts FactsOf(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead: return {OpenIntent::kRead, Operation::kRead, WriteStyle::kNone};
    case OpenMode::kWrite: return {OpenIntent::kWrite, Operation::kWrite, WriteStyle::kInPlace};
    case OpenMode::kReadWrite:
      return {OpenIntent::kReadWrite, Operation::kWrite, WriteStyle::kInPlace, Operation::kRead};
    case OpenMode::kCreate:
      return {OpenIntent::kCreate, Operation::kCreate, WriteStyle::kInPlace, Operation::kWrite};
    case OpenMode::kCreateExclusive: break;
  }
  return {OpenIntent::kCreateExclusive, Operation::kCreate, WriteStyle::kInPlace};
}

}  // namespace

Result<File> Root::Open(std::string_view untrusted, OpenMode mode, const Expected& expected) const {
  if (state_->elsewhere) {
    if (mode != OpenMode::kRead) return UnsupportedElsewhere("open");
    return state_->elsewhere->OpenRead(untrusted, expected);
  }
  ModeFacts facts = FactsOf(mode);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, facts.operation));
  Resolution resolution(*state_, facts.operation, facts.also);
  if (request.must_be_directory && facts.operation == Operation::kCreate) {
    TRY(resolution.Locate(request, FinalSymlink::kNoFollow));
  }
  if (facts.operation == Operation::kCreate && !expected.any()) {
    if (expected.presence == Presence::kAbsent) {
      const bool follows = mode == OpenMode::kCreate;
      TRY_ASSIGN(platform::UniqueFd made,
                 MakeExpected(resolution, request,
                              follows ? FinalSymlink::kFollow : FinalSymlink::kNoFollow, expected));
      return File(std::move(made), resolution.path());
    }
    if (mode == OpenMode::kCreateExclusive) return ExpectedInTheWay();
    facts.intent = OpenIntent::kWrite;  // what was there is not to be made
  }
  TRY_ASSIGN(platform::UniqueFd fd,
             OrStale(expected, resolution.Open(request, facts.intent, FinalSymlink::kFollow)));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(fd.get()));
  TRY(CheckObject(expected, stat));
  TRY(CheckRegular(*state_, stat, facts.style));
  if (facts.style == WriteStyle::kInPlace) DropSetUserId(fd.get(), stat);
  // Emptied only now: O_TRUNC would have done it before the checks.
  if (mode == OpenMode::kCreate && stat.size > 0) TRY(platform::Truncate(fd.get(), 0));
  return File(std::move(fd), resolution.path());
}

Result<platform::FileStat> Root::Stat(std::string_view untrusted, FinalSymlink final,
                                      const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Stat(untrusted, final, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kStat);
  TRY_ASSIGN(const platform::UniqueFd fd,
             OrStale(expected, resolution.Open(request, OpenIntent::kReference, final)));
  TRY_ASSIGN(platform::FileStat stat, platform::StatDescriptor(fd.get()));
  TRY(CheckObject(expected, stat));
  stat.created_ns = platform::BirthTimeOf(fd.get()).value_or(0);
  return stat;
}

}  // namespace cordon::confine
