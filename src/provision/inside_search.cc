#include "provision/inside_search.h"

#include <cerrno>
#include <utility>

#include "base/try.h"

namespace cordon::provision {
namespace {

using confine::SearchChoice;
using confine::SearchEntry;
using confine::SearchNote;
using inside::FieldReader;
using inside::FieldWriter;
using platform::FileType;
using Note = std::shared_ptr<const SearchNote>;

constexpr std::size_t kMostNames = std::size_t{32} << 20;
constexpr std::size_t kMostFailuresTold = 20;
constexpr std::size_t kLongestName = 255;

Error Nonsense() {
  Error error;
  error.op = "inside";
  error.detail = "the sandbox's answer is not what was asked for";
  return error;
}

std::string Joined(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && !path.ends_with('/')) path += '/';
  path += name;
  return path;
}

// As it was told of.
struct Looked {
  confine::SearchOutcome::Start start = confine::SearchOutcome::Start::kDirectory;
  std::string path;  // below the root
  bool limited = false;
  std::uint64_t entries = 0;
  struct Above {
    std::string path_in_root;
    bool is_repository = false;
  };
  std::vector<Above> above;
  bool is_repository = false;
  std::string names;  // all of them, one after the other
  std::vector<std::pair<std::size_t, FileType>> ends;
};

class DirectoryInside final : public confine::SearchDirectory {
 public:
  DirectoryInside(const confine::RootElsewhere& files, std::string path, std::string in_root,
                  bool is_repository)
      : files_(files),
        path_(std::move(path)),
        in_root_(std::move(in_root)),
        is_repository_(is_repository) {}

  std::string_view path() const override { return path_; }
  std::string_view path_in_root() const override { return in_root_; }
  bool is_repository() const override { return is_repository_; }
  Result<confine::SearchFile> Open(std::string_view name) const override {
    TRY_ASSIGN(const platform::FileStat entry, Stat(name));
    if (entry.type == FileType::kSymlink) {
      Error error;
      error.code = ErrorCode::kNotARegularFile;
      error.op = "search";
      error.os_errno = ELOOP;
      return error;
    }
    TRY_ASSIGN(confine::File file, files_.OpenRead(Joined(in_root_, name), {}));
    TRY_ASSIGN(const platform::FileStat stat, file.Stat());
    return confine::SearchFile(std::make_shared<const Opened>(std::move(file)), stat.size);
  }
  Result<platform::FileStat> Stat(std::string_view name) const override {
    return files_.Stat(Joined(in_root_, name), confine::FinalSymlink::kNoFollow, {});
  }

 private:
  class Opened final : public confine::FileElsewhere {
   public:
    explicit Opened(confine::File file) : file_(std::move(file)) {}
    Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
      return file_.ReadAt(offset, buffer);
    }
    Result<platform::FileStat> Stat() const override { return file_.Stat(); }

   private:
    const confine::File file_;
  };

  const confine::RootElsewhere& files_;
  const std::string path_, in_root_;
  const bool is_repository_;
};

class Search {
 public:
  Search(const confine::RootElsewhere& files, InsideCrew& crew, const InsideSearch& search,
         confine::SearchVisitor& visitor)
      : files_(files), crew_(crew), search_(search), visitor_(visitor) {}

  Result<confine::SearchOutcome> Run(const std::function<Status(std::string_view)>& begin);

 private:
  struct Waiting {
    std::string path;  // below the start
    Note note;         // of the one above
    std::size_t depth = 0;
  };
  Result<Looked> Look(std::string_view path, const confine::Expected& expected);
  void Enter(const Looked& looked, const Waiting& at);
  void VisitFile(const Looked& looked);
  Note PassThrough(const Looked& looked);
  bool Stopping() const { return search_.terms.stop.stop_requested() || outcome_.limited; }

  const confine::RootElsewhere& files_;
  InsideCrew& crew_;
  const InsideSearch& search_;
  confine::SearchVisitor& visitor_;
  std::string base_;              // of the start, below the root
  std::vector<Waiting> waiting_;  // the next one last
  confine::SearchOutcome outcome_;
};

Result<Looked> Search::Look(std::string_view path, const confine::Expected& expected) {
  FieldWriter request(inside::FileOp::kLook);
  request.Text(path).Choice(search_.terms.reach).Number(search_.terms.max_entries).Put(expected);
  TRY_ASSIGN(const InsideCrew::Told told, crew_.Question(request.Take(), kMostNames));
  FieldReader fields = told.answer.fields();
  Looked looked;
  looked.start = fields.Choice(confine::SearchOutcome::Start::kFile);
  looked.path = fields.Text();
  looked.limited = fields.Byte() != 0;
  looked.entries = fields.Number();
  for (std::uint64_t left = fields.Number(); left > 0 && fields.good(); --left) {
    Looked::Above above;
    above.path_in_root = fields.Text();
    above.is_repository = fields.Byte() != 0;
    looked.above.push_back(std::move(above));
  }
  looked.is_repository = fields.Byte() != 0;
  while (fields.more()) {
    const std::string_view name = fields.Text();
    if (!IsBareName(name)) return Nonsense();
    looked.names += name;
    looked.ends.emplace_back(looked.names.size(), fields.Choice(FileType::kDevice));
  }
  const bool placed = looked.path.empty() || IsPathBelow(looked.path);
  const bool file = looked.start == confine::SearchOutcome::Start::kFile;
  if (!fields.complete() || !placed || (file && looked.ends.size() != 1)) return Nonsense();
  return looked;
}

Note Search::PassThrough(const Looked& looked) {
  Note note;
  for (const Looked::Above& above : looked.above) {
    std::string path = above.path_in_root;
    if (path.ends_with('/')) path.pop_back();
    const DirectoryInside directory(files_, std::move(path), above.path_in_root,
                                    above.is_repository);
    note = visitor_.PassThrough(directory, std::move(note));
  }
  return note;
}

void Search::VisitFile(const Looked& looked) {
  const std::size_t slash = looked.path.rfind('/');
  const std::size_t directory_size = slash == std::string::npos ? 0 : slash + 1;
  const DirectoryInside directory(files_, "", looked.path.substr(0, directory_size), false);
  const SearchEntry entry{looked.names, looked.ends.front().second, SearchChoice::kTake};
  visitor_.Visit(0, directory, entry);
}

void Search::Enter(const Looked& looked, const Waiting& at) {
  ++outcome_.directories;
  outcome_.entries += looked.entries;
  if (looked.limited || outcome_.entries > search_.terms.max_entries) outcome_.limited = true;
  std::string in_root = Joined(base_, at.path);
  if (!in_root.empty() && !in_root.ends_with('/')) in_root += '/';
  const DirectoryInside directory(files_, at.path, std::move(in_root), looked.is_repository);
  std::vector<SearchEntry> entries;
  std::size_t begin = 0;
  for (const auto& [end, type] : looked.ends) {
    entries.push_back({std::string_view(looked.names).substr(begin, end - begin), type});
    begin = end;
  }
  const Note note = visitor_.Enter(0, directory, at.note, entries);
  std::vector<Waiting> below;
  for (const SearchEntry& entry : entries) {
    if (entry.choice == SearchChoice::kPassOver) continue;
    if (entry.type == FileType::kDirectory) {
      if (!visitor_.Wants(at.path, entry.name)) continue;
      below.push_back({Joined(at.path, entry.name), note, at.depth + 1});
    } else if (!Stopping()) {
      visitor_.Visit(0, directory, entry);
    }
  }
  std::move(below.rbegin(), below.rend(), std::back_inserter(waiting_));
}

Result<confine::SearchOutcome> Search::Run(const std::function<Status(std::string_view)>& begin) {
  TRY_ASSIGN(const Looked start, Look(search_.untrusted, search_.expected));
  outcome_.start = start.start;
  if (begin) TRY(begin(start.path));
  if (start.start == confine::SearchOutcome::Start::kFile) {
    outcome_.entries = 1;
    VisitFile(start);
    return outcome_;
  }
  base_ = start.path;
  Enter(start, {"", PassThrough(start), 0});
  while (!waiting_.empty() && !Stopping()) {
    const Waiting next = std::move(waiting_.back());
    waiting_.pop_back();
    if (next.depth > search_.terms.max_depth) {
      outcome_.limited = true;
      break;
    }
    const Result<Looked> looked = Look(Joined(base_, next.path), {});
    if (looked && looked->start == confine::SearchOutcome::Start::kDirectory) {
      Enter(*looked, next);
      continue;
    }
    if (looked) continue;  // another by now
    switch (looked.error().code) {
      // Gone or swapped meanwhile, or not to be seen.
      case ErrorCode::kNotFound:
      case ErrorCode::kNotADirectory:
      case ErrorCode::kPathDenied: break;
      default:
        ++outcome_.failed;
        if (outcome_.failures.size() < kMostFailuresTold) {
          outcome_.failures.push_back({next.path, looked.error().code});
        }
    }
  }
  outcome_.stopped = search_.terms.stop.stop_requested();
  return outcome_;
}

}  // namespace

bool IsBareName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.size() <= kLongestName &&
         name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

bool IsPathBelow(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!IsBareName(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

Result<confine::SearchOutcome> SearchInside(const confine::RootElsewhere& files, InsideCrew& crew,
                                            const InsideSearch& search,
                                            confine::SearchVisitor& visitor,
                                            const std::function<Status(std::string_view)>& begin) {
  return Search(files, crew, search, visitor).Run(begin);
}

}  // namespace cordon::provision
