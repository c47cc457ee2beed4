#include "cli/audit_chart.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "audit/timestamp.h"
#include "cli/cells.h"

namespace cordon::cli {
namespace {

std::string Repeated(std::string_view glyph, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += glyph;
  return text;
}

std::string Label(std::int64_t begin_ns, BucketSize size) {
  std::string text = audit::FormatSeconds(begin_ns);
  text[10] = ' ';
  text.resize(size == BucketSize::kDay ? 10 : 16);
  return text;
}

std::string Counts(const Bucket& bucket) {
  std::string text = std::to_string(bucket.operations);
  if (bucket.refusals != 0) text += ", " + std::to_string(bucket.refusals) + " refused";
  return text;
}

// How many of `cells` stand for `part` of `whole`.
std::size_t Share(std::uint64_t part, std::uint64_t whole, std::size_t cells) {
  if (part == 0 || whole == 0) return 0;
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  const auto scaled = static_cast<std::size_t>(std::lround(share * static_cast<double>(cells)));
  return std::clamp<std::size_t>(scaled, 1, cells);
}

// An operation that was refused when it ended may have begun in an earlier bucket.
std::uint64_t Height(const Bucket& bucket) { return std::max(bucket.operations, bucket.refusals); }

std::string Bar(const Bucket& bucket, std::uint64_t highest, std::size_t cells,
                const OutputStyle& style) {
  const bool unicode = style.glyphs == Glyphs::kUnicode;
  std::size_t whole = Share(Height(bucket), highest, cells);
  const std::size_t refused = Share(bucket.refusals, highest, cells);
  const bool has_allowed = Height(bucket) > bucket.refusals;
  whole = std::clamp(whole, refused + (has_allowed && refused < cells ? 1 : 0), cells);
  return Repeated(unicode ? "█" : "#", whole - refused) +
         Inked(Repeated(unicode ? "▒" : "x", refused), Ink::kRefused, style.colour);
}

// With the gaps, from the newest backwards, then turned round.
std::vector<Bucket> Newest(const std::vector<Bucket>& buckets, BucketSize size) {
  std::vector<Bucket> shown;
  auto next = buckets.rbegin();
  for (std::int64_t begin = next->begin_ns; shown.size() < kMostBars; begin -= BucketNs(size)) {
    if (next != buckets.rend() && next->begin_ns == begin) {
      shown.push_back(*next++);
    } else if (next == buckets.rend()) {
      break;
    } else {
      shown.push_back({begin, 0, 0});
    }
  }
  std::reverse(shown.begin(), shown.end());
  return shown;
}

}  // namespace

std::vector<std::string> ChartLines(const std::vector<Bucket>& buckets, BucketSize size,
                                    const OutputStyle& style) {
  std::vector<std::string> lines;
  if (buckets.empty()) return lines;
  const std::vector<Bucket> shown = Newest(buckets, size);
  std::uint64_t highest = 0;
  std::size_t counts_cells = 0;
  for (const Bucket& bucket : shown) {
    highest = std::max(highest, Height(bucket));
    counts_cells = std::max(counts_cells, Counts(bucket).size());
  }
  const auto earlier = static_cast<std::size_t>(std::count_if(
      buckets.begin(), buckets.end(),
      [&](const Bucket& bucket) { return bucket.begin_ns < shown.front().begin_ns; }));
  if (earlier != 0) {
    lines.push_back("(" + std::to_string(earlier) + " earlier ones are not shown)");
  }
  const std::size_t label_cells = Label(0, size).size();
  const std::size_t others = label_cells + 2 + 2 + counts_cells;
  const std::size_t cells = style.columns > others + 4 ? style.columns - others : 4;
  for (const Bucket& bucket : shown) {
    const std::string bar = Bar(bucket, highest, cells, style);
    std::string line = Label(bucket.begin_ns, size) + "  ";
    if (Height(bucket) != 0) line += bar + "  ";
    lines.push_back(line + Counts(bucket));
  }
  return lines;
}

}  // namespace cordon::cli
