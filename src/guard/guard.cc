#include "guard/guard.h"

#include <utility>

#include "base/try.h"
#include "guard/guard_state.h"

namespace cordon::guard {
namespace {

using audit::Event;
using confine::FinalSymlink;

Error AlreadyThere() {
  Error error;
  error.code = ErrorCode::kAlreadyExists;
  error.op = "guard";
  error.detail = "something is there already";
  return error;
}

}  // namespace

Result<std::unique_ptr<Guard>> Guard::Start(Parts parts) {
  if (!parts.recorder) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "start guard";
    error.rule = "audit";
    error.detail = "a guard without an audit log would leave no trace";
    return error;
  }
  std::unique_ptr<Guard> guard(new Guard(std::make_unique<State>(std::move(parts))));
  TRY(guard->state_->ledger.Started());
  return guard;
}

Guard::Guard(std::unique_ptr<State> state) : state_(std::move(state)) {}
Guard::~Guard() { state_->ledger.Ended(); }

const Boundary& Guard::boundary() const { return state_->parts.boundary; }
const Session& Guard::session() const { return state_->parts.session; }

Result<confine::File> Guard::OpenRead(const Call& call, std::string_view untrusted) {
  const Act act{&call, Event::kFileRead, Operation::kRead, untrusted};
  return state_->Told(act, Look::kObject, [](Way& way) {
    auto file = way.root->Open(way.path(), confine::OpenMode::kRead, way.expected);
    if (file) way.opened = file->path();
    return file;
  });
}

Result<platform::FileStat> Guard::Stat(const Call& call, std::string_view untrusted,
                                       FinalSymlink final) {
  const Act act{&call, Event::kFileStat, Operation::kStat, untrusted};
  const Look look = final == FinalSymlink::kFollow ? Look::kObject : Look::kEntry;
  return state_->Told(
      act, look, [final](Way& way) { return way.root->Stat(way.path(), final, way.expected); });
}

Result<std::vector<confine::DirectoryEntry>> Guard::List(const Call& call,
                                                         std::string_view untrusted,
                                                         std::size_t limit) {
  const Act act{&call, Event::kFileList, Operation::kList, untrusted};
  return state_->Told(act, Look::kObject, [limit](Way& way) {
    return way.root->List(way.path(), limit, way.expected);
  });
}

Result<std::string> Guard::ReadLink(const Call& call, std::string_view untrusted) {
  const Act act{&call, Event::kFileStat, Operation::kRead, untrusted};
  return state_->Told(act, Look::kObject,
                      [](Way& way) { return way.root->ReadLink(way.path(), way.expected); });
}

Status Guard::Write(const Call& call, std::string_view untrusted, std::string_view bytes,
                    const WriteOptions& options) {
  const Act act{&call, Event::kFileWrite, Operation::kWrite, untrusted};
  const Admission::Extra extra{options.preview, options.based_on};
  return state_->Done(act, Look::kFile, extra, [&](Way& way) -> Status {
    confine::Expected expected = way.expected;
    expected.content = options.based_on;
    if (options.existing == WriteOptions::Existing::kRefuse && !way.agreed()) {
      if (way.probed && way.probed->exists) return AlreadyThere();
      if (way.probed) expected = way.probed->AsExpected();
    } else if (options.existing == WriteOptions::Existing::kRefuse && way.probed->exists) {
      return AlreadyThere();
    }
    TRY_ASSIGN(confine::Replacement next, way.root->Replace(way.path(), expected));
    TRY(next.Write(bytes));
    if (options.mode) TRY(next.SetMode(*options.mode));
    return next.Commit();
  });
}

Status Guard::Append(const Call& call, std::string_view untrusted, std::string_view bytes) {
  const Act act{&call, Event::kFileWrite, Operation::kWrite, untrusted};
  return state_->Done(act, Look::kFile, {}, [bytes](Way& way) {
    return way.root->Append(way.path(), bytes, way.expected);
  });
}

Status Guard::Mkdir(const Call& call, std::string_view untrusted) {
  const Act act{&call, Event::kDirectoryCreate, Operation::kMkdir, untrusted};
  return state_->Done(act, Look::kFreeEntry, {},
                      [](Way& way) { return way.root->Mkdir(way.path(), 0777, way.expected); });
}

Status Guard::Remove(const Call& call, std::string_view untrusted, const RemoveOptions& options) {
  const Act act{&call, Event::kFileDelete, Operation::kDelete, untrusted};
  const Admission::Extra extra{options.preview, options.based_on};
  return state_->Done(act, Look::kEntry, extra, [&](Way& way) {
    confine::Expected expected = way.expected;
    expected.content = options.based_on;
    return way.root->Remove(way.path(), expected);
  });
}

Status Guard::RemoveAll(const Call& call, std::string_view untrusted) {
  const Act act{&call, Event::kFileDelete, Operation::kDelete, untrusted};
  return state_->Done(act, Look::kEntry, {},
                      [](Way& way) { return way.root->RemoveAll(way.path(), way.expected); });
}

Status Guard::Symlink(const Call& call, std::string_view target, std::string_view untrusted) {
  const Act act{&call, Event::kLinkCreate, Operation::kCreate, untrusted, target};
  return state_->Done(act, Look::kFreeEntry, {}, [target](Way& way) -> Status {
    if (way.agreed() && way.probed->exists) return AlreadyThere();
    return way.root->Symlink(target, way.path(), way.expected);
  });
}

}  // namespace cordon::guard
