// make_log LOG KEY COUNT ROTATE_AT: a log as the program itself writes it, with every
// kind of record and names that are hard to write down.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "audit/log.h"
#include "audit/record.h"

namespace {

using cordon::audit::Record;

constexpr std::array<std::string_view, 6> kNames{"src/main.cc",
                                                 "日本語 🙂",
                                                 "a\nb\x1b[2J",
                                                 "caf\xe9 %41 \"quoted\" \\",
                                                 "\xe2\x80\xae"
                                                 "txt.exe",
                                                 ".env"};

Record Example(std::size_t number) {
  Record record;
  record.event = static_cast<cordon::audit::Event>(number % 16);  // not those of the log itself
  record.phase = static_cast<cordon::audit::Phase>(number % 3);
  record.begun = record.phase == cordon::audit::Phase::kEnd ? number : 0;
  record.session = "s1";
  record.tool = number % 2 == 0 ? "read_file" : "";
  record.operation = static_cast<cordon::Operation>(number % 8);
  record.asked = kNames[number % kNames.size()];
  record.resolved = number % 4 == 0 ? "" : "/w/x";
  record.target = number % 7 == 0 ? kNames[(number + 1) % kNames.size()] : "";
  record.decision = static_cast<cordon::audit::Decision>(number % 4);
  record.rule = number % 4 == 3 ? "deny:.env" : "";
  record.tier = static_cast<cordon::audit::Tier>(number % 5);
  if (number % 3 == 0) record.error = static_cast<cordon::ErrorCode>(number % 25);
  record.violation = static_cast<cordon::Violation>(number % 12);
  record.question = number % 5 == 0 ? "q1" : "";
  record.choice = number % 5 == 0 ? "once" : "";
  record.channel = number % 5 == 0 ? "tty" : "";
  record.duration_ns = static_cast<std::int64_t>(number) * 1000;
  if (number % 9 == 0) record.protection = cordon::audit::Protection::kOff;
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  cordon::audit::LogOptions options;
  options.rotate_at = std::strtoull(argv[4], nullptr, 10);
  const auto log = cordon::audit::Log::Open({argv[1], argv[2]}, options,
                                            cordon::confine::AmbientAuthority::OfThisProcess());
  if (!log) return std::fprintf(stderr, "%s\n", log.error().detail.c_str()), 1;
  const std::size_t count = std::strtoull(argv[3], nullptr, 10);
  for (std::size_t i = 0; i < count; ++i) {
    const auto seq = (*log)->Append(Example(i), cordon::audit::Durability::kWithKernel);
    if (!seq) return std::fprintf(stderr, "%s\n", seq.error().detail.c_str()), 1;
  }
  return (*log)->Flush() ? 0 : 1;
}
