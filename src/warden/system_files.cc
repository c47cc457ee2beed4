// The short way to what the system has for everybody to read: compilers and interpreters
// look for thousands of such files, most of which do not exist.
#include <cerrno>

#include "warden/case.h"

namespace cordon::warden {

using platform::ActForProcess;
using platform::FileType;
using platform::Looked;
using platform::OpenWish;
using FinalLink = platform::NamedPath::FinalLink;

bool Case::ReadsSystem(const std::string& path, Operation operation) const {
  const Judgement judged = hand_.judge.Check(path, operation);
  return judged.region == Region::kSystem && judged.clear();
}

// Whether it was answered. Opened at once, links and all, for what is opened is judged by
// where it is; whatever is anything but a file or directory of the system goes the long way.
bool Case::OpensSystemFile(const OpenWish& wish, const Origin& origin) {
  const bool only_reads = wish.read && !wish.write && !wish.create && !wish.truncate;
  if (!only_reads || wish.temporary || wish.resolve != 0 || !origin.text.starts_with('/')) {
    return false;
  }
  std::string real = Normal(origin.text);
  if (!ReadsSystem(real, Operation::kRead)) return false;
  // Where no link is passed and nothing leads up again, it is where its text says: for ".." that
  // would not hold while directories are moved.
  bool known_by_text = origin.text.find("..") == std::string::npos;
  const char* text = origin.text.c_str();
  Looked opened =
      ActForProcess::OpenToRead(hand_.resolver.root(), text, wish, ActForProcess::NoLinks());
  // No link was on the way, so that is where it would be.
  if (opened.os_errno == ENOENT) {
    Fail(ENOENT);
    return true;
  }
  if (opened.os_errno == ELOOP && wish.path.final_link == FinalLink::kFollow) {
    known_by_text = false;
    opened =
        ActForProcess::OpenToRead(hand_.resolver.root(), text, wish, ActForProcess::NoMagicLinks());
  }
  if (opened.os_errno != 0) return false;
  const auto stat = platform::StatDescriptor(opened.fd.get());
  const FileType type = stat ? stat->type : FileType::kUnknown;
  if (type != FileType::kRegular && type != FileType::kDirectory) return false;
  const Operation operation = OperationOf(wish, type);
  if (!known_by_text) real = hand_.acts.RealPath(opened.fd.get());
  const bool judged = known_by_text && operation == Operation::kRead;
  if (!judged && !ReadsSystem(real, operation)) return false;
  if (!wish.non_blocking && ActForProcess::SetFlags(opened.fd.get(), wish) < 0) return false;
  GiveOpened(wish, std::move(opened));
  return true;
}

}  // namespace cordon::warden
