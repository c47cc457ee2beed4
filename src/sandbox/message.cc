#include "sandbox/message.h"

#include <array>

#include "base/try.h"
#include "sandbox/wire.h"

namespace cordon::sandbox {
namespace {

using wire::Reader;
using wire::Writer;

constexpr std::array<std::string_view, 8> kLimitNames = {
    "wall time",  "CPU time",  "memory",         "processes",
    "open files", "file size", "bytes to disks", "private space",
};

void Write(Writer& writer, const Ready& ready) { writer.Number(ready.layers.bits()); }

void Write(Writer& writer, const Failed& failed) {
  writer.Word(failed.stage);
  writer.Text(failed.what);
  writer.Number(static_cast<std::uint64_t>(failed.os_errno));
}

void Write(Writer& writer, const Refused& refused) {
  writer.Word(refused.operation);
  writer.Text(refused.path);
  writer.Text(refused.rule);
  writer.Text(refused.program);
  writer.Number(refused.process);
}

void Write(Writer& writer, const RefusedMore& more) {
  writer.Number(more.repeated);
  writer.Number(more.untold);
}

void Write(Writer& writer, const Ask& ask) {
  writer.Number(ask.id);
  writer.Word(ask.way);
  writer.Number(ask.truncate ? 1 : 0);
  writer.Text(ask.path);
  writer.Text(ask.program);
  writer.Number(ask.process);
  writer.Text(ask.to);
}

void Write(Writer& writer, const LimitHit& hit) { writer.Word(hit.kind); }

void Write(Writer& writer, const Ended& ended) {
  writer.Number(static_cast<std::uint64_t>(ended.status));
  writer.Number(static_cast<std::uint64_t>(ended.signal));
  writer.Number(static_cast<std::uint64_t>(ended.cpu.count()));
  writer.Number(ended.peak_memory);
  writer.Number(ended.written);
}

void Write(Writer& writer, const Answer& answer) {
  writer.Number(answer.id);
  writer.Number(static_cast<std::uint64_t>(answer.os_errno));
}

void Write(Writer& /*writer*/, const Stop& /*stop*/) {}
void Write(Writer& /*writer*/, const Kill& /*kill*/) {}
void Write(Writer& /*writer*/, const Begin& /*begin*/) {}

// The first number of a message; the variant's own order is the format.
template <typename Variant>
std::string EncodeAny(const Variant& message) {
  Writer writer;
  writer.Number(message.index());
  std::visit([&writer](const auto& value) { Write(writer, value); }, message);
  return writer.Take();
}

Ready ReadReady(Reader& reader) { return {LayerSet::OfBits(reader.Number())}; }

Failed ReadFailed(Reader& reader) {
  Failed failed;
  failed.stage = reader.Word(Failed::Stage::kProgram);
  failed.what = reader.Text();
  failed.os_errno = static_cast<int>(reader.Number());
  return failed;
}

Refused ReadRefused(Reader& reader) {
  Refused refused;
  refused.operation = reader.Word(Operation::kRename);
  refused.path = reader.Text();
  refused.rule = reader.Text();
  refused.program = reader.Text();
  refused.process = static_cast<std::uint32_t>(reader.Number());
  return refused;
}

RefusedMore ReadRefusedMore(Reader& reader) {
  RefusedMore more;
  more.repeated = reader.Number();
  more.untold = reader.Number();
  return more;
}

Ask ReadAsk(Reader& reader) {
  Ask ask;
  ask.id = reader.Number();
  ask.way = reader.Word(Ask::Way::kRenameToFree);
  ask.truncate = reader.Number() != 0;
  ask.path = reader.Text();
  ask.program = reader.Text();
  ask.process = static_cast<std::uint32_t>(reader.Number());
  ask.to = reader.Text();
  return ask;
}

Ended ReadEnded(Reader& reader) {
  Ended ended;
  ended.status = static_cast<int>(reader.Number());
  ended.signal = static_cast<int>(reader.Number());
  ended.cpu = std::chrono::microseconds(reader.Number());
  ended.peak_memory = reader.Number();
  ended.written = reader.Number();
  return ended;
}

Answer ReadAnswer(Reader& reader) {
  Answer answer;
  answer.id = reader.Number();
  answer.os_errno = static_cast<int>(reader.Number());
  return answer;
}

Report ReadReport(Reader& reader) {
  switch (reader.Number()) {
    case 0: return ReadReady(reader);
    case 1: return ReadFailed(reader);
    case 2: return ReadRefused(reader);
    case 3: return ReadRefusedMore(reader);
    case 4: return ReadAsk(reader);
    case 5: return LimitHit{reader.Word(LimitKind::kPrivateSpace)};
    case 6: return ReadEnded(reader);
    default: reader.Fail(); return Failed{};
  }
}

Order ReadOrder(Reader& reader) {
  switch (reader.Number()) {
    case 0: return ReadAnswer(reader);
    case 1: return Stop{};
    case 2: return Kill{};
    case 3: return Begin{};
    default: reader.Fail(); return Kill{};
  }
}

}  // namespace

std::string_view LimitName(LimitKind kind) {
  return kLimitNames.at(static_cast<std::size_t>(kind));
}

std::string Encode(const Report& report) { return EncodeAny(report); }
std::string Encode(const Order& order) { return EncodeAny(order); }

Result<Report> DecodeReport(std::string_view bytes) {
  Reader reader(bytes);
  Report report = ReadReport(reader);
  TRY(reader.Done());
  return report;
}

Result<Order> DecodeOrder(std::string_view bytes) {
  Reader reader(bytes);
  Order order = ReadOrder(reader);
  TRY(reader.Done());
  return order;
}

}  // namespace cordon::sandbox
