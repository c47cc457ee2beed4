// A directory tree of a test's own, and the variables of its process.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace cordon::testing {

// Gone, with everything below, when the test is over.
class Tree {
 public:
  Tree() {
    std::string name = (std::filesystem::temp_directory_path() / "cordon-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name).string();
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string At(const std::string& below) const { return path_ + "/" + below; }

  const Tree& Dir(const std::string& below) const {
    std::filesystem::create_directories(At(below));
    return *this;
  }
  const Tree& File(const std::string& below, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(At(below)).parent_path());
    std::ofstream(At(below), std::ios::binary) << content;
    return *this;
  }
  const Tree& Link(const std::string& below, const std::string& target) const {
    std::filesystem::create_symlink(target, At(below));
    return *this;
  }
  const Tree& Fifo(const std::string& below) const {
    if (::mkfifo(At(below).c_str(), 0600) != 0) std::abort();
    return *this;
  }
  // Empty if there is none.
  std::string Read(const std::string& below) const {
    std::ifstream in(At(below), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  bool Has(const std::string& below) const {
    return std::filesystem::exists(std::filesystem::symlink_status(At(below)));
  }
  std::vector<std::string> Names(const std::string& below) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(At(below))) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::string path_;
};

// Sets or clears variables, and puts them back at the end.
class Variables {
 public:
  Variables() = default;
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables() {
    for (const auto& [name, value] : before_) Put(name, value);
  }
  void Set(const std::string& name, const std::string& value) { Change(name, value); }
  void Clear(const std::string& name) { Change(name, std::nullopt); }

 private:
  void Change(const std::string& name, const std::optional<std::string>& value) {
    const char* old = std::getenv(name.c_str());
    before_.try_emplace(name, old ? std::optional<std::string>(old) : std::nullopt);
    Put(name, value);
  }
  static void Put(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }
  std::map<std::string, std::optional<std::string>> before_;
};

// Another working directory for the length of a scope.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;
  ~WorkingDirectory() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

// A test that runs once for each resolver, chosen as a user would choose it, with
// nothing else of the machine's configuration in sight.
class EachResolver : public ::testing::TestWithParam<const char*> {
 protected:
  EachResolver() {
    variables_.Set("CORDON_RESOLVER", GetParam());
    variables_.Clear("ALLOWED_ROOT_DIRECTORY");
    variables_.Clear("DATA_DIR");
    variables_.Set("XDG_CONFIG_HOME", tree_.At("xdg"));
    variables_.Set("HOME", tree_.At("home"));
    tree_.Dir("root").File("outside/secret", "secret");
  }
  std::string root() const { return tree_.At("root"); }

  Tree tree_;
  Variables variables_;
};

#define CORDON_EACH_RESOLVER(suite)                                               \
  INSTANTIATE_TEST_SUITE_P(Resolver, suite, ::testing::Values("openat2", "walk"), \
                           [](const auto& info) { return std::string(info.param); })

}  // namespace cordon::testing
