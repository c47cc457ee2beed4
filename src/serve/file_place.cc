#include "serve/file_place.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/ascii.h"
#include "serve/problem.h"
#include "serve/workplaces.h"

namespace cordon::serve {
namespace {

Error Bad(ErrorCode code, std::string_view header, std::string_view why) {
  Error error;
  error.code = code;
  error.op = "files";
  error.component = header;
  error.detail = why;
  return error;
}

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

}  // namespace

OrProblem<FilePlace> FindPlace(const Context& context, const Call& call) {
  auto used = UseSandbox(context, call);
  if (!used.value) return {std::nullopt, std::move(used.problem)};
  auto guard = context.workplaces->GuardOf(*used.value);
  if (!guard) return {std::nullopt, ProblemOf(guard.error())};
  std::string path = call.Parameter("path");
  if (path.empty()) path = ".";
  return {FilePlace{std::move(*used.value), std::move(*guard), std::move(path)}, {}};
}

guard::Call FileCall(policy::ToolKind kind) { return guard::Call{"files", kind, {}}; }

std::string TagOf(const Digest& digest) {
  std::string tag = "\"";
  AppendHex(tag, digest);
  tag += '"';
  return tag;
}

Result<Conditions> Conditions::Of(const net::HttpFields& fields) {
  Conditions conditions;
  if (const auto none = fields.Find("If-None-Match")) {
    if (*none != "*") return Bad(ErrorCode::kInvalidArguments, "If-None-Match", "only * is known");
    conditions.must_be_new = true;
  }
  const auto match = fields.Find("If-Match");
  if (!match) return conditions;
  std::string_view tag = *match;
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') {
    return Bad(ErrorCode::kStaleFile, "If-Match", "no content has such a tag");
  }
  tag = tag.substr(1, tag.size() - 2);
  conditions.match = FromHex(tag);
  if (!conditions.match) return Bad(ErrorCode::kStaleFile, "If-Match", "no content has such a tag");
  return conditions;
}

RangeKind ParseRange(std::optional<std::string_view> header, std::uint64_t size, ByteRange& range) {
  constexpr std::string_view kUnit = "bytes=";
  if (!header || !net::LowerCase(*header).starts_with(kUnit)) return RangeKind::kWhole;
  const std::string_view text = header->substr(kUnit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || text.find(',') != std::string_view::npos) {
    return RangeKind::kWhole;
  }
  const auto first = Number(text.substr(0, dash));
  const auto last = Number(text.substr(dash + 1));
  if (dash == 0) {  // the last so many
    if (!last) return RangeKind::kWhole;
    if (*last == 0 || size == 0) return RangeKind::kUnsatisfiable;
    range.count = std::min(*last, size);
    range.first = size - range.count;
    return RangeKind::kPart;
  }
  if (!first || (!last && dash + 1 < text.size())) return RangeKind::kWhole;
  if (last && *last < *first) return RangeKind::kWhole;
  if (*first >= size) return RangeKind::kUnsatisfiable;
  range.first = *first;
  range.count = std::min(last.value_or(size - 1), size - 1) - *first + 1;
  return RangeKind::kPart;
}

}  // namespace cordon::serve
