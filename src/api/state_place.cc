#include "api/state_place.h"

#include <cstdlib>
#include <utility>

#include "base/try.h"
#include "confine/root.h"

namespace cordon::api {
namespace {

// The specification of these variables lets only absolute values count.
std::optional<std::string> AbsoluteVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value != '/') return std::nullopt;
  return std::string(value);
}

Error NoPlace() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "environment";
  error.rule = "audit";
  error.component = "XDG_STATE_HOME";
  error.detail =
      "there is no place for the audit log: set XDG_STATE_HOME or HOME to an absolute path";
  return error;
}

Result<std::string> Absolute(const std::string& file) {
  if (file.starts_with('/')) return file;
  if (file.empty() || file.find('\0') != std::string::npos) {
    Error error = NoPlace();
    error.component = "--audit-log";
    error.detail = "the name of the audit log is empty or holds a NUL byte";
    return error;
  }
  TRY_ASSIGN(const confine::Root here,
             confine::Root::OpenAmbient(".", {}, confine::AmbientAuthority::OfThisProcess()));
  return here.real_path() + "/" + file;
}

}  // namespace

Result<StatePlace> FindStatePlace(const std::optional<std::string>& audit_log) {
  StatePlace place;
  if (std::optional<std::string> state = AbsoluteVariable("XDG_STATE_HOME")) {
    place.directory = std::move(*state) + "/cordon";
  } else if (std::optional<std::string> home = AbsoluteVariable("HOME")) {
    place.directory = std::move(*home) + "/.local/state/cordon";
  } else {
    return NoPlace();
  }
  const std::optional<std::string> runtime = AbsoluteVariable("XDG_RUNTIME_DIR");
  place.approval_directory = runtime ? *runtime + "/cordon" : place.directory + "/run";
  place.undo_directory = place.directory + "/undo";
  place.log.key_file = place.directory + "/audit.key";
  place.log.log_file = place.directory + "/audit.jsonl";
  if (audit_log) {
    TRY_ASSIGN(place.log.log_file, Absolute(*audit_log));
  }
  return place;
}

}  // namespace cordon::api
