#include "serve/problem.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <string>

#include "tools/result_object.h"

namespace cordon::serve {
namespace json = boost::json;

net::HttpResponse JsonAnswer(std::uint16_t status, const json::value& body) {
  net::HttpResponse response;
  response.status = status;
  response.fields.Add("Content-Type", "application/json");
  response.fields.Add("Cache-Control", "no-store");
  response.fields.Add("X-Content-Type-Options", "nosniff");
  response.body = json::serialize(body);
  response.body += '\n';
  return response;
}

net::HttpResponse Problem(std::uint16_t status, std::string_view code, std::string_view message) {
  return JsonAnswer(status, {{"error", {{"code", code}, {"message", tools::ValidUtf8(message)}}}});
}

std::uint16_t StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidPath:
    case ErrorCode::kInvalidArguments: return 400;
    case ErrorCode::kPathOutsideProject:
    case ErrorCode::kPathDenied:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kConsentDenied:
    case ErrorCode::kConsentUnavailable:
    case ErrorCode::kCommandBlocked: return 403;
    case ErrorCode::kNotFound:
    case ErrorCode::kUnknownTool: return 404;
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kNotADirectory:
    case ErrorCode::kIsADirectory:
    case ErrorCode::kNotARegularFile:
    case ErrorCode::kSandboxRequired: return 409;
    case ErrorCode::kStaleFile: return 412;
    case ErrorCode::kTooLarge: return 413;
    case ErrorCode::kNotText:
    case ErrorCode::kNoMatch:
    case ErrorCode::kAmbiguousMatch:
    case ErrorCode::kCommandFailed: return 422;
    case ErrorCode::kLimitExceeded: return 429;
    case ErrorCode::kUnsupported: return 501;
    case ErrorCode::kTimeout: return 504;
    case ErrorCode::kIoError: break;
  }
  return 500;
}

namespace {

// Whether a disk is full, the machine's or what a sandbox may have of it.
bool HasNoRoom(const Error& error) {
  return error.code == ErrorCode::kLimitExceeded &&
         (error.rule == "disk" || error.os_errno == ENOSPC || error.os_errno == EDQUOT);
}

}  // namespace

net::HttpResponse ProblemOf(const Error& error) {
  const std::string_view code = ErrorCodeName(error.code);
  if (error.code == ErrorCode::kIoError)
    return Problem(500, code, "something failed in the server");
  json::object told{{"code", code}};
  const std::string& detail = error.detail;
  told["message"] = tools::ValidUtf8(detail.empty() ? std::string(code) : detail);
  if (!error.rule.empty()) told["rule"] = tools::ValidUtf8(error.rule);
  if (!error.component.empty()) told["component"] = tools::ValidUtf8(error.component);
  const std::uint16_t status = HasNoRoom(error) ? 507 : StatusOf(error.code);
  return JsonAnswer(status, {{"error", std::move(told)}});
}

net::HttpResponse NoSuchObject() { return Problem(404, "NOT_FOUND", "there is no such object"); }

}  // namespace cordon::serve
