#include "bench/report.h"

#include <array>
#include <cstdio>

namespace cordon::bench {
namespace {

constexpr double kMostOverPlain = 1.35;
constexpr double kMostCheckNs = 10'000;
constexpr double kMostDecideNs = 200;
constexpr double kMostGuardNs = 5'000;
constexpr double kLeastOverCanonical = 3;
constexpr int kCanonicalDepth = 6;
constexpr std::array kOrder = {"plain", "openat",           "openat2", "cordon",
                               "guard", "weakly_canonical", "check",   "decide"};

template <typename... Args>
std::string Format(const char* format, Args... args) {
  char text[256];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

Limit AtMost(std::string text, double measured, double bound) {
  return {std::move(text), measured, bound, measured <= bound};
}

}  // namespace

std::vector<Limit> Judge(const Results& results) {
  std::vector<Limit> limits;
  for (const auto& [depth, at] : results) {
    limits.push_back(AtMost(Format("cordon / plain at depth %d, at most", depth),
                            at.at("cordon").ratio, kMostOverPlain));
  }
  for (const auto& [depth, at] : results) {
    limits.push_back(AtMost(Format("check alone at depth %d, ns, at most", depth),
                            at.at("check").median_ns, kMostCheckNs));
    limits.push_back(AtMost(Format("policy alone at depth %d, ns, at most", depth),
                            at.at("decide").median_ns, kMostDecideNs));
  }
  for (const auto& [depth, at] : results) {
    limits.push_back(AtMost(Format("guard with audit adds at depth %d, ns, at most", depth),
                            at.at("guard").added_ns, kMostGuardNs));
  }
  const AtDepth& deep = results.at(kCanonicalDepth);
  const double faster = deep.at("weakly_canonical").ratio / deep.at("cordon").ratio;
  limits.push_back({Format("weakly_canonical+open / cordon at depth %d, at least", kCanonicalDepth),
                    faster, kLeastOverCanonical, faster >= kLeastOverCanonical});
  return limits;
}

std::string Table(const Results& results, const std::vector<Limit>& limits) {
  std::string text = "open + regular-file check + close; ratio to plain open+fstat+close\n\n";
  text += Format("%-18s", "");
  for (const auto& [depth, at] : results) text += Format("  depth %-2d            ", depth);
  text += '\n';
  for (const char* name : kOrder) {
    text += Format("%-18s", name);
    for (const auto& [depth, at] : results) {
      text += Format("  %8.0f ns  x%-6.3f ", at.at(name).median_ns, at.at(name).ratio);
    }
    text += '\n';
  }
  text += '\n';
  for (const Limit& limit : limits) {
    text += Format("%-52s %9.2f  measured %9.2f  %s\n", limit.text.c_str(), limit.bound,
                   limit.measured, limit.met ? "met" : "MISSED");
  }
  return text;
}

std::string Json(const Results& results, const std::vector<Limit>& limits, int rounds) {
  std::string text = Format("{\"rounds\": %d, \"depths\": {", rounds);
  const char* between = "";
  for (const auto& [depth, at] : results) {
    text += Format("%s\"%d\": {", between, depth);
    between = ", ";
    const char* comma = "";
    for (const char* name : kOrder) {
      const Measured& m = at.at(name);
      text += Format(
          "%s\"%s\": {\"median_ns\": %.1f, \"low_ns\": %.1f, \"high_ns\": %.1f, \"ratio\": %.4f, "
          "\"added_ns\": %.1f}",
          comma, name, m.median_ns, m.low_ns, m.high_ns, m.ratio, m.added_ns);
      comma = ", ";
    }
    text += '}';
  }
  text += "}, \"limits\": [";
  between = "";
  for (const Limit& limit : limits) {
    text +=
        Format("%s{\"text\": \"%s\", \"bound\": %.3f, \"measured\": %.4f, \"met\": %s}", between,
               limit.text.c_str(), limit.bound, limit.measured, limit.met ? "true" : "false");
    between = ", ";
  }
  return text + "]}\n";
}

}  // namespace cordon::bench
