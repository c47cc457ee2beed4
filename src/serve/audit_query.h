// Which records of the audit log a request wants, and where they are read.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/reader.h"
#include "serve/call.h"
#include "serve/context.h"

namespace cordon::serve {

// One's own records, unless an administrator asks for everybody's.
struct AuditFilter {
  std::optional<std::string> user, sandbox, conversation, event, decision;
  std::uint64_t after = 0;
  std::uint64_t most = 100;
  std::optional<std::uint64_t> last;  // only so many, the newest

  bool Takes(const audit::Entry& entry) const;
  // Whether a line could be one of these, before it is taken apart: most are not.
  bool MayTake(std::string_view line) const;

 private:
  bool IsOf(const std::string& actor) const;
};
// Errors: kInvalidArguments.
Result<AuditFilter> AuditFilterOf(const Call& call);

// The record as the log has it, if it is one and wanted.
std::optional<boost::json::object> AuditRecordOf(std::string_view line, const AuditFilter& filter);

Result<audit::Reader> OpenAuditLog(const Context& context);

// How far back the newest records are looked for, in lines.
inline constexpr std::size_t kMostLookedThrough = 50'000;

}  // namespace cordon::serve
