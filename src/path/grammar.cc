#include "path/grammar.h"

#include "path/macos.h"
#include "path/posix.h"
#include "path/windows.h"

namespace cordon::path {
namespace {

std::vector<std::string> Collect(std::string_view text) {
  std::vector<std::string> parts;
  Components components(text);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    parts.emplace_back(part);
  }
  return parts;
}

Result<ParsedPath> ParseAsPosix(std::string_view untrusted, std::span<const std::string> roots) {
  const Result<Request> request = ParsePosix(untrusted, roots);
  if (!request) return request.error();
  return ParsedPath{Collect(request->text), request->must_be_directory};
}

std::string PosixNames(std::string_view untrusted, std::span<const std::string> roots) {
  if (!untrusted.starts_with('/')) return std::string(untrusted);
  for (const std::string& root : roots) {
    std::string_view rest;
    if (StripRoot(untrusted, root, rest)) return std::string(rest);
  }
  return {};
}

LinkReading ReadPosixLink(std::string_view text, std::span<const std::string> roots) {
  if (text.empty() || text.size() > kMaxPathBytes || text.find('\0') != std::string_view::npos) {
    return {};
  }
  if (!text.starts_with('/')) {
    const Request request = TrimTrailing(text);
    return {LinkReading::Kind::kRelative, {Collect(request.text), request.must_be_directory}};
  }
  Result<ParsedPath> parsed = ParseAsPosix(text, roots);
  if (!parsed) return {};
  return {LinkReading::Kind::kInside, std::move(*parsed)};
}

}  // namespace

Result<ParsedPath> Parse(Grammar grammar, std::string_view untrusted,
                         std::span<const std::string> roots) {
  switch (grammar) {
    case Grammar::kPosix: return ParseAsPosix(untrusted, roots);
    case Grammar::kWindows: return ParseWindows(untrusted, roots);
    case Grammar::kMacos: return ParseMacos(untrusted, roots);
  }
  return ParseAsPosix(untrusted, roots);
}

std::string NamesBelowRoot(Grammar grammar, std::string_view untrusted,
                           std::span<const std::string> roots) {
  switch (grammar) {
    case Grammar::kPosix: return PosixNames(untrusted, roots);
    case Grammar::kWindows: return WindowsNamesBelowRoot(untrusted, roots);
    case Grammar::kMacos: return MacosNamesBelowRoot(untrusted, roots);
  }
  return PosixNames(untrusted, roots);
}

LinkReading ReadLinkText(Grammar grammar, std::string_view text,
                         std::span<const std::string> roots) {
  switch (grammar) {
    case Grammar::kPosix: return ReadPosixLink(text, roots);
    case Grammar::kWindows: return ReadWindowsLink(text, roots);
    case Grammar::kMacos: return ReadMacosLink(text, roots);
  }
  return {};
}

NameRules DefaultNameRules(Grammar grammar) {
  switch (grammar) {
    case Grammar::kPosix: return NameRules::kExact;
    case Grammar::kWindows: return NameRules::kNtfs;
    case Grammar::kMacos: return NameRules::kCaseFold | NameRules::kHfs;  // APFS or HFS+
  }
  return NameRules::kAll;
}

}  // namespace cordon::path
