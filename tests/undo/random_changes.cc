#include "tests/undo/random_changes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace cordon::testing {
namespace {

using policy::ToolKind;

constexpr std::array<const char*, 9> kNames{"a",    "b",   "d",        "x y",     "-n",
                                            "n\nl", "%41", "\xff\xfe", "\xc3\xbc"};

void Put(const std::string& path, const std::string& bytes, mode_t mode) {
  std::ofstream(path, std::ios::binary) << bytes;
  ::chmod(path.c_str(), mode);
}

std::string Slurp(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

std::string RandomChanges::Path() {
  std::string path;
  const std::uint32_t depth = 1 + Below(3);
  for (std::uint32_t i = 0; i < depth; ++i) {
    if (!path.empty()) path += '/';
    path += kNames[Below(kNames.size())];
  }
  return path;
}

std::string RandomChanges::Bytes() {
  std::string bytes(Below(5) == 0 ? Below(100'000) : Below(200), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random_());
  return bytes;
}

bool RandomChanges::Step() {
  const guard::Call write{"write_file", ToolKind::kWrite, {}};
  const guard::Call remove{"delete_path", ToolKind::kDelete, {}};
  switch (Below(10)) {
    case 0:
    case 1: {
      guard::WriteOptions options;
      if (Below(3) == 0) options.mode = Below(2) == 0 ? 0600 : 0755;
      return guard_.Write(write, Path(), Bytes(), options).has_value();
    }
    case 2: return guard_.Append(write, Path(), Bytes()).has_value();
    case 3: return guard_.Mkdir(write, Path()).has_value();
    case 4: return guard_.MkdirAll(write, Path()).has_value();
    case 5: return guard_.Symlink(write, Path(), Path()).has_value();
    case 6: return guard_.Remove(remove, Path()).has_value();
    case 7: return guard_.RemoveAll(remove, Path()).has_value();
    default: return guard_.Rename(write, Path(), Path()).has_value();
  }
}

void MakeVariedTree(const std::string& directory) {
  const std::string top = directory + "/";
  std::filesystem::remove_all(top + "a");  // the fixture's file
  for (const char* name : {"a", "a/b", "d", "d/\xff\xfe", "d/d", "d/d/x y"}) {
    ::mkdir((top + name).c_str(), 0755);
  }
  ::chmod((top + "d/d").c_str(), 0711);
  Put(top + "b", "one\ntwo\n", 0640);
  Put(top + "a/a", std::string("nul\0byte", 8), 0755);
  Put(top + "a/n\nl", "", 0600);
  Put(top + "d/\xff\xfe/\xc3\xbc", std::string(70'000, 'x'), 0444);
  Put(top + "d/d/x y/-n", "deep", 0644);
  const timespec old[2] = {{1'000'000'000, 5}, {1'000'000'000, 123456789}};
  ::utimensat(AT_FDCWD, (top + "b").c_str(), old, 0);
  static_cast<void>(::setxattr((top + "a/a").c_str(), "user.note", "kept", 4, 0));
  for (const auto& [text, name] :
       {std::pair("a/a", "x y"), {"nowhere", "a/d"}, {"/etc/passwd", "d/a"}, {"..", "d/b"}}) {
    if (::symlink(text, (top + name).c_str()) != 0) std::abort();
  }
}

std::string DescribeTree(const std::string& directory) {
  std::set<std::string> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string path = entry.path().string();
    struct stat stat;
    if (::lstat(path.c_str(), &stat) != 0) continue;
    std::string line = path + " " + std::to_string(stat.st_mode);
    if (S_ISREG(stat.st_mode)) {
      line += " " + std::to_string(stat.st_mtim.tv_sec) + "." +
              std::to_string(stat.st_mtim.tv_nsec) + " " + Slurp(path);
      std::array<char, 64> value{};
      const ssize_t size = ::getxattr(path.c_str(), "user.note", value.data(), value.size());
      if (size > 0) line += " note " + std::string(value.data(), static_cast<std::size_t>(size));
    }
    if (S_ISLNK(stat.st_mode)) line += " " + std::filesystem::read_symlink(entry).string();
    lines.insert(line);
  }
  std::string tree;
  for (const std::string& line : lines) tree += line + "\n";
  return tree;
}

}  // namespace cordon::testing
