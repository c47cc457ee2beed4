// Finds the lines of one file that match, and what stands around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "search/byte_source.h"
#include "search/matcher.h"

namespace cordon::search {

enum class Wanted { kFirstMatch, kCount, kLines };

struct LineTerms {
  Wanted wanted = Wanted::kLines;
  std::size_t before = 0, after = 0;  // lines of context
  std::size_t max_matches = SIZE_MAX;
  std::size_t max_characters = 2000;  // of a line that is told
};

struct ToldLine {
  enum class Kind : std::uint8_t { kMatch, kContext };
  std::uint64_t number = 0;  // from 1
  std::size_t begin = 0;     // in FileHits::text
  std::uint32_t size = 0;
  Kind kind = Kind::kMatch;
  bool cut = false;  // longer in the file
};

struct FileHits {
  std::uint64_t matches = 0;  // lines
  std::string text;           // of all lines, one after the other
  std::vector<ToldLine> lines;
  bool binary = false;    // a NUL ended the search
  bool more = false;      // max_matches ended it
  bool overlong = false;  // a line, or in multiline a file, was too long to be searched whole
  std::string_view TextOf(const ToldLine& line) const {
    return std::string_view(text).substr(line.begin, line.size);
  }
};

// As ripgrep does for the files it finds: a NUL ends the search; what matched before the
// 64 KiB it is in is told, and counts for nothing where only counts are wanted. A byte
// order mark is no text; UTF-16 with one is read as UTF-8.
// Guarantees: holds a part of the file at a time, at most kLongestLine.
// Thread safety: none; each thread has its own and uses it for one file after another.
class LineSearch {
 public:
  static constexpr std::size_t kLongestLine = 64u << 20;

  LineSearch(Matcher matcher, const LineTerms& terms);
  // Errors: those of `source`.
  Result<FileHits> Run(ByteSource& source);

 private:
  void Reset();
  Result<FileHits> Search(ByteSource& source);
  Status Advance(ByteSource& source);
  bool HasNul(std::size_t upto);
  FileHits Finish();
  void SearchRegion(std::size_t region_end);
  void SearchSpans();
  void Match(std::size_t begin, std::size_t end);
  void Tell(std::size_t begin, std::size_t end, ToldLine::Kind kind);
  void TellAfter(std::size_t upto);
  std::size_t BackOver(std::size_t lines, std::size_t from) const;
  std::uint64_t NumberAt(std::size_t position);
  std::string_view text() const { return {buffer_.data(), end_}; }

  Matcher matcher_;
  LineTerms terms_;
  std::vector<char> buffer_;
  // Positions are in buffer_.
  std::size_t end_ = 0;         // of what was read
  std::size_t at_ = 0;          // beginning of the first line not searched yet
  std::size_t checked_ = 0;     // no NUL before this
  std::size_t told_ = 0;        // lines before this were told or passed
  std::size_t counted_at_ = 0;  // a line's beginning, whose number is
  std::uint64_t counted_ = 0;   // this
  std::size_t after_left_ = 0;  // lines of context still to be told
  bool ended_ = false;          // nothing follows what was read
  bool done_ = false;
  FileHits hits_;
};

}  // namespace cordon::search
