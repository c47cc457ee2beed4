#include "launch/view.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "platform/mount.h"
#include "platform/namespaces.h"
#include "sandbox/system_places.h"

namespace cordon::launch {
namespace {

using platform::MountAttribute;
using platform::Standing;
using platform::UniqueFd;
using sandbox::Place;
using sandbox::Spec;

constexpr std::uint32_t kOpenToAll = 01777, kOwn = 0700, kUsual = 0755;
// What a command may not change although it is user 0 outside as well.
constexpr const char* kFixedProcessFiles[] = {"proc/sys", "proc/sysrq-trigger", "proc/bus",
                                              "proc/fs", "proc/irq"};
constexpr const char* kUsualLinks[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
// From here on a few hundred processes more or less do not matter.
constexpr std::uint64_t kManyProcesses = 1024;
constexpr const char* kTmp = "/tmp";
constexpr const char* kSharedMemory = "/dev/shm";

std::string Relative(const std::string& path) { return path.substr(path.find_first_not_of('/')); }

bool IsPlace(const Spec& spec, const std::string& path) {
  const auto is = [&path](const Place& place) { return place.seen_at() == path; };
  return std::ranges::any_of(spec.places, is);
}

Error At(Error error, const std::string& path) {
  error.component = path;
  return error;
}

// Something to be attached, or a link to be made.
struct Part {
  std::string path;
  UniqueFd tree;
  std::string link;
  enum class Kind { kDirectory, kFile } kind = Kind::kDirectory;
};

class Builder {
 public:
  explicit Builder(const Spec& spec) : spec_(spec) {}

  Status Build(ProcessView processes) {
    TRY(platform::MakeMountsPrivate());
    TRY(CollectGranted());
    TRY(CollectDevices());
    TRY(CollectProcesses(processes));
    TRY(MakeRoot());
    TRY(CollectPrivate());
    TRY(AttachAll());
    if (processes == ProcessView::kOfNamespace) TRY(FixProcessFiles());
    TRY(HideAll());
    TRY(platform::ChangeAttributes(
        root_.get(),
        {MountAttribute::kReadOnly, MountAttribute::kNoSetUserId, MountAttribute::kNoDevices}));
    return platform::EnterRoot(root_.get());
  }

 private:
  Status CollectGranted() {
    for (const Place& place : spec_.system) {
      TRY(Collect(place, platform::StandingAt(place.path)));
    }
    for (const char* link : kUsualLinks) {
      if (!IsCollected(link) && platform::StandingAt(link) == Standing::kLinkToDirectory) {
        CollectLink(link);
      }
    }
    for (const Place& place : spec_.places) {
      const Standing standing = platform::StandingAt(place.path);
      if (standing == Standing::kNothing) {
        Error missing;
        missing.code = ErrorCode::kNotFound;
        missing.op = "place";
        return At(std::move(missing), place.path);
      }
      TRY(Collect(place, standing));
    }
    return {};
  }

  Status Collect(const Place& place, Standing standing) {
    const std::string& path = place.path;
    if (standing == Standing::kNothing) return {};
    if (standing == Standing::kLinkToDirectory && place.inside.empty()) {
      CollectLink(path);
      return {};
    }
    auto tree =
        place.access == Place::Access::kReadWrite
            ? platform::CopyOfTree(path, {MountAttribute::kNoSetUserId, MountAttribute::kNoDevices})
            : platform::CopyOfTree(path, {MountAttribute::kReadOnly, MountAttribute::kNoSetUserId,
                                          MountAttribute::kNoDevices});
    if (!tree) return At(std::move(tree.error()), path);
    if (place.seen_at() == "/") {
      root_ = std::move(*tree);
      return {};
    }
    Add(place.seen_at(), std::move(*tree),
        standing == Standing::kDirectory ? Part::Kind::kDirectory : Part::Kind::kFile);
    return {};
  }

  bool IsCollected(std::string_view path) const {
    return std::ranges::any_of(parts_, [path](const Part& part) { return part.path == path; });
  }

  void CollectLink(const std::string& path) {
    Part part;
    part.path = path;
    part.link = platform::LinkTextAt(path).value_or("");
    if (!part.link.empty()) parts_.push_back(std::move(part));
  }

  Status CollectDevices() {
    for (const char* device : sandbox::kDevices) {
      const std::string path = std::string("/dev/") + device;
      if (platform::StandingAt(path) == Standing::kNothing) continue;
      auto tree =
          platform::CopyOfTree(path, {MountAttribute::kNoSetUserId, MountAttribute::kNoPrograms});
      if (!tree) return At(std::move(tree.error()), path);
      Add(path, std::move(*tree), Part::Kind::kFile);
    }
    auto terminals = platform::NewTerminalFiles();
    if (!terminals) return At(std::move(terminals.error()), "/dev/pts");
    Add("/dev/pts", std::move(*terminals), Part::Kind::kDirectory);
    return {};
  }

  Status CollectProcesses(ProcessView processes) {
    auto tree = processes == ProcessView::kOfNamespace
                    ? platform::NewProcessFiles()
                    : platform::CopyOfTree(
                          "/proc", {MountAttribute::kReadOnly, MountAttribute::kNoSetUserId,
                                    MountAttribute::kNoDevices, MountAttribute::kNoPrograms});
    if (!tree) {
      tree.error().code = ErrorCode::kUnsupported;
      return At(std::move(tree.error()), "proc");
    }
    if (processes == ProcessView::kOfNamespace && BoundByNamespace(spec_.limits)) {
      // Where that fails they are still counted now and then.
      static_cast<void>(platform::BoundProcesses(tree->get(), spec_.limits.processes));
    }
    Add("/proc", std::move(*tree), Part::Kind::kDirectory);
    return {};
  }

  // A root that holds nothing but the ways to what is attached, unless all of it is granted.
  Status MakeRoot() {
    if (!root_.valid()) {
      TRY_ASSIGN(root_, platform::NewMemoryFiles(0, {}));
      granted_root_ = false;
    }
    return platform::CoverRoot(root_.get());
  }

  // All private directories are of one file system, and share its space; it is attached
  // where its own /tmp will cover it.
  Status CollectPrivate() {
    TRY_ASSIGN(UniqueFd store,
               platform::NewMemoryFiles(spec_.limits.private_space, {MountAttribute::kNoSetUserId,
                                                                     MountAttribute::kNoDevices}));
    TRY(FillStore(store.get()));
    TRY(MakeWay(kTmp, Part::Kind::kDirectory));
    TRY(platform::Attach(store.get(), root_.get(), Relative(kTmp)));
    TRY(AddFromStore(store.get(), "dev", "/dev", {MountAttribute::kReadOnly}));
    const std::vector<std::string> directories = PrivateDirectories(spec_);
    for (std::size_t i = 0; i < directories.size(); ++i) {
      TRY(AddFromStore(store.get(), std::to_string(i), directories[i], {}));
    }
    return {};
  }

  Status FillStore(int store) const {
    const std::vector<std::string> directories = PrivateDirectories(spec_);
    for (std::size_t i = 0; i < directories.size(); ++i) {
      TRY(platform::MakeMountDirectory(store, std::to_string(i),
                                       directories[i] == spec_.home ? kOwn : kOpenToAll));
    }
    TRY(platform::MakeMountDirectory(store, "dev", kUsual));
    TRY_ASSIGN(const UniqueFd devices, platform::MountPlace(store, "dev"));
    return FillDevices(devices.get());
  }

  static Status FillDevices(int directory) {
    for (const char* device : sandbox::kDevices) TRY(platform::MakeMountFile(directory, device));
    TRY(platform::MakeMountDirectory(directory, "pts", kUsual));
    TRY(platform::MakeMountDirectory(directory, "shm", kUsual));
    const std::pair<const char*, const char*> links[] = {{"ptmx", "pts/ptmx"},
                                                         {"fd", "/proc/self/fd"},
                                                         {"stdin", "/proc/self/fd/0"},
                                                         {"stdout", "/proc/self/fd/1"},
                                                         {"stderr", "/proc/self/fd/2"}};
    for (const auto& [name, text] : links) TRY(platform::MakeMountLink(directory, name, text));
    return {};
  }

  Status AddFromStore(int store, const std::string& name, const std::string& path,
                      platform::MountAttributes attributes) {
    TRY_ASSIGN(const UniqueFd directory, platform::MountPlace(store, name));
    TRY_ASSIGN(UniqueFd tree, platform::CopyOfTreeAt(directory.get(), attributes));
    Add(path, std::move(tree), Part::Kind::kDirectory);
    return {};
  }

  void Add(const std::string& path, UniqueFd tree, Part::Kind kind) {
    Part part;
    part.path = path;
    part.tree = std::move(tree);
    part.kind = kind;
    parts_.push_back(std::move(part));
  }

  // A prefix sorts first, so what holds another is attached before it.
  Status AttachAll() {
    std::ranges::stable_sort(parts_, {}, &Part::path);
    for (const Part& part : parts_) {
      if (Status attached = AttachOne(part); !attached) {
        return At(std::move(attached.error()), part.path);
      }
    }
    return {};
  }

  Status AttachOne(const Part& part) {
    if (!part.link.empty()) {
      if (granted_root_) return {};  // has it already
      return platform::MakeMountLink(root_.get(), Relative(part.path), part.link);
    }
    const std::string path = Relative(part.path);
    Status attached = platform::Attach(part.tree.get(), root_.get(), path);
    // Most of what is in /dev has its place already.
    if (attached || attached.error().code != ErrorCode::kNotFound) return attached;
    TRY(MakeWay(part.path, part.kind));
    return platform::Attach(part.tree.get(), root_.get(), path);
  }

  Status MakeWay(const std::string& path, Part::Kind kind) const {
    if (granted_root_) return {};
    return kind == Part::Kind::kDirectory
               ? platform::MakeMountDirectory(root_.get(), Relative(path), kUsual)
               : platform::MakeMountFile(root_.get(), Relative(path));
  }

  Status FixProcessFiles() {
    for (const char* path : kFixedProcessFiles) {
      auto place = platform::MountPlace(root_.get(), path);
      if (!place && place.error().code == ErrorCode::kNotFound) continue;
      if (!place) return At(std::move(place.error()), path);
      auto tree = platform::CopyOfTreeAt(place->get(), {MountAttribute::kReadOnly});
      if (!tree) return At(std::move(tree.error()), path);
      TRY(platform::Attach(tree->get(), place->get(), ""));
    }
    return {};
  }

  Status HideAll() {
    for (const std::string& path : spec_.hidden) {
      const Standing standing = platform::StandingAt(path);
      if (standing == Standing::kNothing) continue;
      auto cover = standing == Standing::kOther
                       ? platform::CopyOfTree(
                             "/dev/null", {MountAttribute::kReadOnly, MountAttribute::kNoDevices})
                       : platform::NewMemoryFiles(4096, {MountAttribute::kReadOnly});
      if (!cover) return At(std::move(cover.error()), path);
      Status attached = platform::Attach(cover->get(), root_.get(), Relative(path));
      // What is not in the view needs no hiding.
      if (!attached && attached.error().code != ErrorCode::kNotFound) {
        return At(std::move(attached.error()), path);
      }
    }
    return {};
  }

  const Spec& spec_;
  std::vector<Part> parts_;
  UniqueFd root_;
  bool granted_root_ = true;
};

}  // namespace

std::vector<std::string> PrivateDirectories(const Spec& spec) {
  std::vector<std::string> directories;
  for (const std::string& path : {std::string(kTmp), std::string(kSharedMemory), spec.home}) {
    if (!path.empty() && !IsPlace(spec, path)) directories.push_back(path);
  }
  return directories;
}

bool BoundByNamespace(const sandbox::Limits& limits) {
  return limits.memory == 0 && limits.processors == 0 && limits.processes >= kManyProcesses &&
         platform::NamespacesBoundProcesses();
}

Status BuildView(const Spec& spec, ProcessView processes) { return Builder(spec).Build(processes); }

}  // namespace cordon::launch
