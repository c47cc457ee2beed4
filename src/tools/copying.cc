#include "tools/copying.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "tools/loaded_file.h"
#include "tools/parents.h"
#include "tools/targets.h"

namespace cordon::tools {
namespace {

using platform::FileType;

Error Refuse(ErrorCode code, std::string_view detail) {
  Error error;
  error.code = code;
  error.op = "copy";
  error.detail = detail;
  return error;
}

struct Entry {
  std::string path;  // below the source
  platform::FileStat stat;
};

Attempt<std::uint64_t> CopyFile(Context& context, const std::string& from, const std::string& to,
                                std::uint32_t mode, guard::WriteOptions::Existing existing) {
  const auto loaded = LoadFile(context, from);
  if (!loaded) return At(loaded.error(), from);
  guard::WriteOptions options;
  options.existing = existing;
  options.mode = mode & 0777U;
  options.preview = loaded->bytes;
  const Status written = context.guard.Write(context.call, to, loaded->bytes, options);
  if (!written) return At(written.error(), to);
  return loaded->bytes.size();
}

Attempt<std::vector<Entry>> EntriesOf(Context& context, std::string_view source) {
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  confine::WalkLimits limits;
  limits.max_entries = kMaxCopiedEntries;
  const Status walked =
      context.guard.Walk(context.call, source, limits, [&](const confine::WalkEntry& entry) {
        entries.push_back({std::string(entry.path), entry.stat});
        if (entry.stat.type == FileType::kRegular) bytes += entry.stat.size;
        return context.call.stop.stop_requested() ? confine::WalkStep::kStop
                                                  : confine::WalkStep::kContinue;
      });
  if (!walked) return At(walked.error(), source);
  if (context.call.stop.stop_requested())
    return Refuse(ErrorCode::kTimeout, "the call was cancelled");
  if (bytes > kMaxCopiedBytes) return Refuse(ErrorCode::kTooLarge, "more than 1 GiB to copy");
  for (const Entry& entry : entries) {
    const bool copies = entry.stat.type == FileType::kRegular ||
                        entry.stat.type == FileType::kDirectory ||
                        entry.stat.type == FileType::kSymlink;
    if (!copies) {
      return At(Refuse(ErrorCode::kNotARegularFile, "neither file, directory nor link"),
                std::string(source) + "/" + entry.path);
    }
  }
  return entries;
}

Attempt<std::uint64_t> CopyEntry(Context& context, const Entry& entry, const std::string& from,
                                 const std::string& to) {
  using Existing = guard::WriteOptions::Existing;
  if (entry.stat.type == FileType::kRegular) {
    return CopyFile(context, from, to, entry.stat.mode, Existing::kRefuse);
  }
  if (entry.stat.type == FileType::kDirectory) {
    const Status made = context.guard.Mkdir(context.call, to);
    if (!made) return At(made.error(), to);
    return 0;
  }
  const auto text = context.guard.ReadLink(context.call, from);
  if (!text) return At(text.error(), from);
  const Status linked = context.guard.Symlink(context.call, *text, to);
  if (!linked) return At(linked.error(), to);
  return 0;
}

bool IsBelow(std::string_view path, std::string_view above) {
  return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
}

void NoteRemoval(Failure& failure, const Status& removed) {
  if (removed || removed.error().code == ErrorCode::kNotFound) return;
  failure.error.detail += "; what was copied so far could not be removed";
}

Attempt<Copied> CopyTree(Context& context, const std::string& source,
                         const std::string& destination) {
  if (destination == source || IsBelow(destination, source)) {
    return At(Refuse(ErrorCode::kInvalidArguments, "a directory cannot be copied into itself"),
              destination);
  }
  TRY_ASSIGN(const std::vector<Entry> entries, EntriesOf(context, source));
  const Status made = context.guard.Mkdir(context.call, destination);
  if (!made) {
    Failure failure = At(made.error(), destination);
    if (MayHaveBeenDone(made.error())) {
      NoteRemoval(failure, context.guard.Remove(context.call, destination));
    }
    return failure;
  }
  Copied copied;
  for (const Entry& entry : entries) {
    const auto bytes =
        CopyEntry(context, entry, source + "/" + entry.path, destination + "/" + entry.path);
    if (!bytes) {
      Failure failure = bytes.error();
      NoteRemoval(failure, context.guard.RemoveAll(context.call, destination));
      return failure;
    }
    copied.files += entry.stat.type == FileType::kRegular ? 1 : 0;
    copied.bytes += *bytes;
    if (context.progress) context.progress({copied.files, "files copied"});
  }
  return copied;
}

std::string WithoutSlash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

}  // namespace

Attempt<Copied> Copy(Context& context, std::string_view source, std::string_view destination,
                     const CopyOptions& options) {
  const std::string from = WithoutSlash(source), to = WithoutSlash(destination);
  const auto stat = context.guard.Stat(context.call, from);
  if (!stat) return At(stat.error(), source);
  if (stat->type == FileType::kDirectory) {
    if (options.depth == CopyOptions::Depth::kAll) return CopyTree(context, from, to);
    return At(Refuse(ErrorCode::kIsADirectory, "a directory is copied only with \"recursive\""),
              source);
  }
  TRY_ASSIGN(const std::uint64_t bytes, CopyFile(context, from, to, stat->mode, options.existing));
  return Copied{1, bytes};
}

}  // namespace cordon::tools
