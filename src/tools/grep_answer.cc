#include "tools/grep_answer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/unicode.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;
using search::GrepFile;
using search::GrepOutput;
using search::ToldLine;

// More is left for the next call, whatever the limit.
constexpr std::size_t kMostText = 8u << 20;
constexpr std::size_t kMostKeys = 6;     // of a line
constexpr std::size_t kAroundLine = 12;  // bytes: its number, the marks, its end

class Teller {
 public:
  Teller(std::string_view path, const search::GrepTerms& terms,
         const confine::SearchOutcome& outcome, Wanted wanted)
      : list(RoomForMuch()), path_(path), terms_(terms), outcome_(outcome), wanted_(wanted) {}

  // Makes room for about what will be told.
  void Expect(const search::GrepAnswer& found) {
    std::size_t lines = 0;
    std::size_t bytes = 0;
    for (const GrepFile& file : found.files) {
      lines += file.hits.lines.size();
      bytes += file.hits.text.size() +
               file.hits.lines.size() * (path_.size() + file.path.size() + kAroundLine);
    }
    text.reserve(std::min(bytes, kMostText + kAroundLine));
    if (wanted_ != Wanted::kText) list.reserve(lines);
  }

  // False: no more of it.
  bool Tell(const GrepFile& file) {
    if (file.hits.binary) ++binary;
    const std::string whole = PathToAsk(path_, file.path, outcome_);
    shown_ = Printable(whole, whole.size());
    if (terms_.output != GrepOutput::kLines) {
      TellFile(file, whole);
      return true;
    }
    if (wanted_ != Wanted::kText) {
      about_ = {};
      AddPath(about_, "path", whole);
    }
    std::uint64_t before = 0;  // number of the line told last
    for (const ToldLine& line : file.hits.lines) {
      if (text.size() > kMostText) return false;
      if (terms_.context > 0 && line.number != before + 1 && !text.empty()) text += "--\n";
      before = line.number;
      TellLine(file, line);
    }
    return true;
  }

  json::array list;
  std::string text;
  std::uint64_t told = 0;
  std::uint64_t binary = 0;

 private:
  void TellFile(const GrepFile& file, const std::string& whole) {
    text += shown_;
    if (terms_.output == GrepOutput::kCount) {
      (text += ':') += std::to_string(file.hits.matches);
    }
    text += '\n';
    ++told;
    if (wanted_ == Wanted::kText) return;
    json::object object(list.storage());
    AddPath(object, "path", whole);
    if (terms_.output == GrepOutput::kCount) object["matches"] = file.hits.matches;
    list.emplace_back(std::move(object));
  }

  void TellLine(const GrepFile& file, const ToldLine& line) {
    const bool context = line.kind == ToldLine::Kind::kContext;
    const std::string_view found = file.hits.TextOf(line);
    const bool valid = unicode::IsValidUtf8(found);
    const std::string repaired = valid ? std::string() : ValidUtf8(found);
    const std::string_view content = valid ? found : std::string_view(repaired);
    const char mark = context ? '-' : ':';
    ((text += shown_) += mark) += std::to_string(line.number);
    ((text += mark) += content) += line.cut ? " [line cut]\n" : "\n";
    if (!context) ++told;
    if (wanted_ != Wanted::kText) AddLine(line, content);
  }

  void AddLine(const ToldLine& line, std::string_view content) {
    json::object object(list.storage());
    object.reserve(kMostKeys);
    for (const auto& [key, value] : about_) object.emplace(key, value);
    object["line"] = line.number;
    object["text"] = content;
    if (line.kind == ToldLine::Kind::kContext) object["context"] = true;
    if (line.cut) object["cut"] = true;
    list.emplace_back(std::move(object));
  }

  std::string_view path_;
  const search::GrepTerms& terms_;
  const confine::SearchOutcome& outcome_;
  Wanted wanted_;
  std::string shown_;
  json::object about_;  // the file's path, as each of its lines tells it
};

}  // namespace

Answer TellGrep(std::string_view path, const search::GrepTerms& terms,
                const search::GrepAnswer& found, const confine::SearchOutcome& outcome,
                Wanted wanted) {
  Teller teller(path, terms, outcome, wanted);
  teller.Expect(found);
  bool more = found.more;
  for (const GrepFile& file : found.files) {
    if (teller.Tell(file)) continue;
    more = true;
    break;
  }
  Answer answer{json::object(teller.list.storage()), std::move(teller.text)};
  AddPath(answer.data, "path", path);
  const std::uint64_t unreadable = found.unreadable + outcome.failed;
  const std::uint64_t next = terms.offset + teller.told;
  answer.data[terms.output == GrepOutput::kLines ? "lines" : "files"] = std::move(teller.list);
  answer.data["told"] = teller.told;
  answer.data["truncated"] = more;
  if (more) answer.data["next_offset"] = next;
  answer.data["searched"] = found.searched;
  answer.data["binary"] = teller.binary;
  answer.data["unreadable"] = unreadable;
  if (teller.told == 0) answer.text = "[nothing matches]\n";
  if (more) answer.text += "[more matches: go on with offset " + std::to_string(next) + "]\n";
  if (unreadable > 0) {
    answer.text += "[" + std::to_string(unreadable) + " files or directories were not read]\n";
  }
  return answer;
}

}  // namespace cordon::tools
