#include <array>
#include <cerrno>
#include <utility>

#include "confine/link_free.h"
#include "platform/file_stat.h"
#include "platform/link.h"

namespace cordon::confine {
namespace {

using platform::OpenIntent;
using platform::UniqueFd;

// The longest path the kernel takes in one call, with its NUL.
constexpr std::size_t kKernelPathBytes = 4096;

// Only links pay for this: most are the last component, which one more call
// tells; else the walk finds the first one.
LinkFreeOutcome FindLink(const RootState& root, const LinkFreeRequest& request, const char* path) {
  if (request.must_be == platform::MustBe::kAnything &&
      request.intent != OpenIntent::kListDirectory) {
    auto entry = platform::OpenLinkFree(root.directory.get(), path, OpenIntent::kReference,
                                        platform::MustBe::kAnything, request.mounts);
    if (entry) {
      auto stat = platform::StatDescriptor(entry->get());
      if (stat && stat->type == platform::FileType::kSymlink &&
          !platform::IsMagicLink(entry->get())) {
        auto target = platform::ReadLinkText(entry->get());
        if (!target) return std::move(target.error());
        const std::size_t slash = request.text.rfind('/');
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        return FoundLink{
            request.text.substr(0, begin), request.text.substr(begin), {}, std::move(*target)};
      }
    }
  }
  LinkFreeRequest reference = request;
  reference.intent = OpenIntent::kReference;
  auto outcome = OpenByWalk(root, reference);
  if (std::holds_alternative<UniqueFd>(outcome)) return Raced{};
  return outcome;
}

// EXDEV has several causes; the walk tells which.
LinkFreeOutcome ExplainCrossing(const RootState& root, const LinkFreeRequest& request) {
  LinkFreeRequest reference = request;
  reference.intent = OpenIntent::kReference;
  auto outcome = OpenByWalk(root, reference);
  if (std::holds_alternative<UniqueFd>(outcome)) return Raced{};
  return outcome;
}

// The kernel does not say which part was no directory.
LinkFreeOutcome NameNonDirectory(const RootState& root, const LinkFreeRequest& request,
                                 Error error) {
  LinkFreeRequest reference = request;
  reference.intent = OpenIntent::kReference;
  if (request.intent == OpenIntent::kListDirectory) {
    reference.must_be = platform::MustBe::kDirectory;
  }
  auto outcome = OpenByWalk(root, reference);
  if (auto* named = std::get_if<Error>(&outcome); named != nullptr && named->os_errno == ENOTDIR) {
    return outcome;
  }
  return error;
}

}  // namespace

LinkFreeOutcome OpenByKernel(const RootState& root, const LinkFreeRequest& request) {
  // The walk stands at the directory where a suspect name is looked up.
  if (request.text.size() >= kKernelPathBytes || !request.suspects.empty()) {
    return OpenByWalk(root, request);
  }
  std::array<char, kKernelPathBytes> path;
  request.text.copy(path.data(), request.text.size());  // memcpy may not be given null
  path[request.text.size()] = '\0';
  const char* name = request.text.empty() ? "." : path.data();
  const bool refuses_final_link =
      request.intent == OpenIntent::kReference && request.final_link == FinalSymlink::kFollow;
  auto opened = refuses_final_link
                    ? platform::OpenReferenceNoLink(root.directory.get(), name, request.must_be,
                                                    request.mounts)
                    : platform::OpenLinkFree(root.directory.get(), name, request.intent,
                                             request.must_be, request.mounts);
  if (opened) return std::move(*opened);
  switch (opened.error().os_errno) {
    case ELOOP: return FindLink(root, request, name);
    case EXDEV: return ExplainCrossing(root, request);
    case ENOTDIR: return NameNonDirectory(root, request, std::move(opened.error()));
    case EAGAIN: return Raced{};
    case ENOSYS:
    case EPERM:
      // A system-call filter may have come into force since the root was opened.
      if (root.options.resolver == Resolver::kAuto) return OpenByWalk(root, request);
      return std::move(opened.error());
    default: return std::move(opened.error());
  }
}

}  // namespace cordon::confine
