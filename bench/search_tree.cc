#include "bench/search_tree.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace cordon::bench {
namespace {

constexpr std::size_t kModules = 40;
constexpr std::size_t kPackages = 30;  // of each module
constexpr std::size_t kFiles = 18;     // of each package
constexpr std::size_t kMeanBytes = 15'500;

// The same numbers everywhere, unlike the standard's distributions.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t Next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(Next() % bound); }
  bool OneIn(std::size_t bound) { return Below(bound) == 0; }

 private:
  std::uint64_t state_;
};

constexpr std::array kWords = {
    "return",  "const",   "value",  "index",  "buffer",  "result",  "node",    "request", "string",
    "vector",  "error",   "length", "offset", "handler", "context", "message", "session", "options",
    "parser",  "stream",  "config", "client", "server",  "thread",  "counter", "element", "object",
    "pointer", "state",   "update", "create", "remove",  "find",    "insert",  "begin",   "end",
    "size",    "data",    "name",   "path",   "file",    "table",   "column",  "record",  "entry",
    "cache",   "queue",   "token",  "symbol", "module",  "import",  "export",  "public",  "private",
    "static",  "virtual", "while",  "switch", "break",   "continue"};

constexpr std::array kExtensions = {".cc", ".h", ".py", ".ts", ".md", ".json", ".rs", ".txt"};
constexpr std::array kFolded = {"watermark", "Watermark", "WATERMARK", "waterMark"};

// Every word has its own weight: the first are common, the last rare.
const char* Word(Numbers& numbers) {
  const std::size_t low = numbers.Below(kWords.size());
  return kWords[numbers.OneIn(2) ? low : numbers.Below(low + 1)];
}

void AppendLine(std::string& text, Numbers& numbers) {
  text.append(2 * numbers.Below(5), ' ');
  switch (numbers.Below(7)) {
    case 0:
      text += "// ";
      for (std::size_t i = 4 + numbers.Below(8); i > 0; --i) (text += Word(numbers)) += ' ';
      break;
    case 1:
      ((text += "if (") += Word(numbers)) += "_";
      ((text += Word(numbers)) += " == ") += std::to_string(numbers.Below(1000));
      text += ") {";
      break;
    case 2: text += "}"; break;
    case 3: break;
    case 4:
      ((text += "return ") += Word(numbers)) += "->";
      (text += Word(numbers)) += "();";
      break;
    default:
      ((text += "auto ") += Word(numbers)) += " = ";
      ((((text += Word(numbers)) += "_") += Word(numbers)) += "(") += Word(numbers);
      ((text += ", \"") += Word(numbers)) += "\");";
  }
  if (numbers.OneIn(9000)) (text += "  // ") += kFolded[numbers.Below(kFolded.size())];
  if (numbers.OneIn(4000)) {
    ((text += " throw ParseError(") += Word(numbers)) += ", ";
    (text += std::to_string(100 + numbers.Below(900))) += ");";
  }
  text += '\n';
}

std::string SourceText(Numbers& numbers, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + 256);
  while (text.size() < bytes) AppendLine(text, numbers);
  if (numbers.OneIn(2000)) ((text += "// ") += kRareWord) += "\n";
  return text;
}

class Maker {
 public:
  explicit Maker(std::string directory) : directory_(std::move(directory)) {}

  void Put(const std::string& path, std::string_view content) {
    const std::filesystem::path whole = std::filesystem::path(directory_) / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream out(whole, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!out.flush()) {
      std::perror(whole.c_str());
      std::exit(2);
    }
    ++size_.files;
    size_.bytes += content.size();
  }

  void Package(const std::string& path, Numbers& numbers) {
    for (std::size_t i = 0; i < kFiles; ++i) {
      const std::string name = std::string(Word(numbers)) + "_" + std::to_string(i) +
                               kExtensions[numbers.Below(kExtensions.size())];
      // A few large ones, many small.
      const std::size_t bytes = numbers.OneIn(60) ? kMeanBytes * (8 + numbers.Below(20))
                                                  : kMeanBytes / 4 + numbers.Below(kMeanBytes);
      Put(path + "/" + name, SourceText(numbers, bytes));
    }
    if (numbers.OneIn(10)) Put(path + "/.hidden.cc", SourceText(numbers, kMeanBytes));
    if (numbers.OneIn(8)) Put(path + "/trace.log", SourceText(numbers, kMeanBytes));
    if (numbers.OneIn(20)) {
      std::string image = SourceText(numbers, kMeanBytes);
      for (std::size_t at = 100; at < image.size(); at += 7) image[at] = '\0';
      Put(path + "/image.bin", image);
    }
  }

  TreeSize size() const { return size_; }

 private:
  std::string directory_;
  TreeSize size_;
};

}  // namespace

TreeSize MakeTree(const std::string& directory) {
  Numbers numbers(20'260);
  Maker maker(directory);
  maker.Put(".git/HEAD", "ref: refs/heads/main\n");
  maker.Put(".gitignore", "*.log\n/target/\nnode_modules/\n*.o\n*.py[co]\nbuild-*/\n!keep.log\n");
  for (std::size_t m = 0; m < kModules; ++m) {
    const std::string module = "module_" + std::to_string(m);
    maker.Put(module + "/.gitignore", "/generated\n*.tmp\ndocs/**/*.bak\n");
    for (std::size_t p = 0; p < kPackages; ++p) {
      const std::string package =
          module + (p % 3 == 0 ? "/src/package_" : "/lib/inner/package_") + std::to_string(p);
      maker.Package(package, numbers);
    }
    if (m % 4 == 0) maker.Package(module + "/node_modules/left", numbers);
    if (m % 5 == 0) maker.Package(module + "/generated/deep/er", numbers);
  }
  maker.Package("target/debug", numbers);
  return maker.size();
}

}  // namespace cordon::bench
