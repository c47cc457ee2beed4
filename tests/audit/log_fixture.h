// A log of a test's own, and its bytes.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "audit/log.h"
#include "audit/verify.h"
#include "tests/tree.h"

namespace cordon::audit {

inline confine::AmbientAuthority Authority() { return confine::AmbientAuthority::OfThisProcess(); }

inline LogPlace PlaceIn(const testing::Tree& tree) {
  return {tree.At("state/audit.jsonl"), tree.At("state/audit.key")};
}

inline std::shared_ptr<Log> MustOpen(const LogPlace& place, const LogOptions& options = {}) {
  auto log = Log::Open(place, options, Authority());
  if (!log) ADD_FAILURE() << log.error().detail;
  return log ? *log : nullptr;
}

inline Record ReadOf(std::string_view path) {
  Record record;
  record.session = "s1";
  record.actor = "agent";
  record.asked = path;
  record.decision = Decision::kAllowed;
  return record;
}

inline std::string Describe(const Finding& finding) {
  std::ostringstream text;
  text << DamageName(finding.damage) << ": " << finding.file << ":" << finding.line << " (seq "
       << finding.seq << ") " << finding.detail;
  return text.str();
}

inline Verification MustVerify(const LogPlace& place, const VerifyOptions& options = {}) {
  auto verified = Verify(place, options, Authority());
  if (!verified) {
    ADD_FAILURE() << verified.error().detail;
    return {};
  }
  if (verified->damage) ADD_FAILURE() << Describe(*verified->damage);
  return *verified;
}

inline std::string Slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// In place, so that the mode stays; and not from nothing, which some file systems
// bring to the disk at once.
inline void Spill(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::app).flush();  // made if missing
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::filesystem::resize_file(path, bytes.size());
}

// With their newlines.
inline std::vector<std::string> LinesOf(const std::string& bytes) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t newline = bytes.find('\n', at);
    const std::size_t end = newline == std::string::npos ? bytes.size() : newline + 1;
    lines.push_back(bytes.substr(at, end - at));
    at = end;
  }
  return lines;
}

}  // namespace cordon::audit
