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
  Act act{&call, Event::kFileWrite, Operation::kWrite, untrusted};
  act.change = undo::Kind::kWrite;
  act.bytes = bytes;
  const Admission::Extra extra{options.preview, options.based_on};
  return state_->Done(act, Look::kFile, extra, [&](Way& way) -> Status {
    const bool refuses = options.existing == WriteOptions::Existing::kRefuse;
    if (refuses && way.probed && way.probed->exists) return AlreadyThere();
    confine::Expected expected = way.binding();
    if (refuses && expected.any() && way.probed) expected = way.probed->AsExpected();
    if (options.based_on && !refuses) expected.content = options.based_on;
    TRY_ASSIGN(confine::Replacement next, way.root->Replace(way.path(), expected));
    TRY(next.Write(bytes));
    if (options.mode) TRY(next.SetMode(*options.mode));
    if (options.terms) TRY(next.SetTerms(*options.terms));
    if (const auto made = next.Stat()) way.made_mode = made->mode;
    return next.Commit();
  });
}

Status Guard::Append(const Call& call, std::string_view untrusted, std::string_view bytes) {
  Act act{&call, Event::kFileWrite, Operation::kWrite, untrusted};
  act.change = undo::Kind::kAppend;
  act.bytes = bytes;
  return state_->Done(act, Look::kFile, {}, [bytes](Way& way) {
    return way.root->Append(way.path(), bytes, way.binding());
  });
}

Status Guard::Mkdir(const Call& call, std::string_view untrusted,
                    std::optional<std::uint32_t> mode) {
  Act act{&call, Event::kDirectoryCreate, Operation::kMkdir, untrusted};
  act.change = undo::Kind::kMakeDirectory;
  return state_->Done(act, Look::kFreeEntry, {}, [mode](Way& way) {
    return mode ? way.root->MkdirExactly(way.path(), *mode, way.binding())
                : way.root->Mkdir(way.path(), 0777, way.binding());
  });
}

Status Guard::Remove(const Call& call, std::string_view untrusted, const RemoveOptions& options) {
  Act act{&call, Event::kFileDelete, Operation::kDelete, untrusted};
  act.change = undo::Kind::kRemove;
  const Admission::Extra extra{options.preview, options.based_on};
  return state_->Done(act, Look::kEntry, extra, [&](Way& way) {
    confine::Expected expected = way.binding();
    if (options.based_on) expected.content = options.based_on;
    return way.root->Remove(way.path(), expected);
  });
}

Status Guard::RemoveAll(const Call& call, std::string_view untrusted) {
  Act act{&call, Event::kFileDelete, Operation::kDelete, untrusted};
  act.change = undo::Kind::kRemove;
  return state_->Done(act, Look::kEntry, {},
                      [](Way& way) { return way.root->RemoveAll(way.path(), way.binding()); });
}

Status Guard::Symlink(const Call& call, std::string_view target, std::string_view untrusted) {
  Act act{&call, Event::kLinkCreate, Operation::kCreate, untrusted, target};
  act.change = undo::Kind::kMakeLink;
  act.bytes = target;
  // What an undo gives back was there before, wherever it leads.
  const confine::LinkText text =
      call.undoing != nullptr ? confine::LinkText::kAsItWas : confine::LinkText::kLeadsInside;
  return state_->Done(act, Look::kFreeEntry, {}, [target, text](Way& way) -> Status {
    if (way.agreed() && way.probed->exists) return AlreadyThere();
    return way.root->Symlink(target, way.path(), way.binding(), text);
  });
}

}  // namespace cordon::guard
