// A log of several files that a test may spoil, and put back.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/audit/log_fixture.h"

namespace cordon::audit {

// Five files, about sixty records each, some with odd names.
class Tampered {
 public:
  Tampered() {
    Write(place_, [this](Log& log) {
      Fill(log, 150);
      old_head_ = Head(log);
      Fill(log, 149);
      previous_head_ = Head(log);
      Fill(log, 1);
    });
    whole_ = BytesOf(tree_.At("state"));
  }

  // A second log with as many records, under the same key or one of its own.
  enum class OtherKey { kSame, kOwn };
  std::map<std::string, std::string> Other(OtherKey key) const {
    LogPlace place{tree_.At("other/audit.jsonl"), place_.key_file};
    if (key == OtherKey::kOwn) place = {tree_.At("third/audit.jsonl"), tree_.At("third/key")};
    Write(place, [](Log& log) { Fill(log, 300); });
    auto files = BytesOf(std::filesystem::path(place.log_file).parent_path());
    files.erase("key");
    return files;
  }

  const LogPlace& place() const { return place_; }
  // Of the untouched log: its files, oldest first, and the lines of one.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : whole_) {
      if (name != "audit.jsonl" && name != "audit.jsonl.head") names.push_back(name);
    }
    names.push_back("audit.jsonl");
    return names;
  }
  const std::string& bytes(const std::string& name) const { return whole_.at(name); }
  std::vector<std::string> lines(const std::string& name) const { return LinesOf(bytes(name)); }
  // Number of a file's line, from 1.
  std::uint64_t SeqAt(const std::string& name, std::size_t line) const {
    return std::stoull(lines(name)[line - 1].substr(7));
  }
  // The head at half of the log, and at the record before the last.
  const std::string& old_head() const { return old_head_; }
  const std::string& previous_head() const { return previous_head_; }

  void Put(const std::string& name, const std::string& bytes) const { Spill(Path(name), bytes); }
  void PutLines(const std::string& name, const std::vector<std::string>& lines) const {
    std::string bytes;
    for (const std::string& line : lines) bytes += line;
    Put(name, bytes);
  }
  void Remove(const std::string& name) const { std::filesystem::remove(Path(name)); }
  std::string Path(const std::string& name) const { return tree_.At("state/" + name); }

  void PutBack() const {
    for (const auto& entry : std::filesystem::directory_iterator(tree_.At("state"))) {
      const std::string name = entry.path().filename().string();
      if (name != "audit.key" && !whole_.contains(name)) std::filesystem::remove(entry.path());
    }
    for (const auto& [name, bytes] : whole_) {
      if (Slurp(Path(name)) == bytes) continue;
      Spill(Path(name), bytes);
      std::filesystem::permissions(Path(name), std::filesystem::perms(0600));
    }
  }

  Finding Found(const VerifyOptions& options = {}) const {
    auto verified = Verify(place_, options, Authority());
    if (!verified) {
      ADD_FAILURE() << verified.error().detail;
      return {};
    }
    if (!verified->damage) {
      ADD_FAILURE() << "nothing was found";
      return {};
    }
    return *verified->damage;
  }

  // What verify says, and then everything is put back.
  void Expect(Damage damage, const std::string& file, std::size_t line, std::uint64_t seq) const {
    const Finding finding = Found();
    EXPECT_EQ(DamageName(finding.damage), DamageName(damage)) << Describe(finding);
    EXPECT_EQ(finding.file, file) << Describe(finding);
    EXPECT_EQ(finding.line, line) << Describe(finding);
    EXPECT_EQ(finding.seq, seq) << Describe(finding);
    EXPECT_FALSE(finding.detail.empty());
    PutBack();
  }

 private:
  template <typename Work>
  static void Write(const LogPlace& place, Work work) {
    LogOptions options;
    options.rotate_at = 25'000;
    const auto log = MustOpen(place, options);
    if (log) work(*log);
  }

  static void Fill(Log& log, int count) {
    static const std::string kNames[] = {"src/main.cc", "日本語", "a\nb", "\xff\xfe", "q\"q\\%41"};
    for (int i = 0; i < count; ++i) {
      Record record = ReadOf(kNames[i % 5]);
      record.resolved = "/home/you/project";
      record.rule = "workspace";
      if (!log.Append(record, Durability::kWithKernel)) ADD_FAILURE() << "append";
    }
  }

  static std::map<std::string, std::string> BytesOf(const std::filesystem::path& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      files[entry.path().filename().string()] = Slurp(entry.path().string());
    }
    files.erase("audit.key");
    return files;
  }

  std::string Head(Log& log) const {
    if (!log.Flush()) ADD_FAILURE() << "flush";
    return Slurp(Path("audit.jsonl.head"));
  }

  testing::Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
  std::string old_head_, previous_head_;
  std::map<std::string, std::string> whole_;
};

}  // namespace cordon::audit
