#include "sandbox/resident_message.h"

#include "base/try.h"
#include "sandbox/wire.h"

namespace cordon::sandbox {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using wire::Reader;
using wire::Writer;

constexpr std::uint64_t kMostPorts = 65535;

void WriteText(Writer& writer, const std::string& text) { writer.Text(text); }
std::string ReadText(Reader& reader) { return reader.Text(); }

template <typename T>
void WriteCount(Writer& writer, T duration) {
  writer.Number(static_cast<std::uint64_t>(duration.count()));
}

std::uint16_t ReadPort(Reader& reader) {
  const std::uint64_t port = reader.Number();
  if (port > kMostPorts) reader.Fail();
  return static_cast<std::uint16_t>(port);
}

void Write(Writer& writer, const Execute& execute) {
  writer.List(execute.arguments, WriteText);
  writer.List(execute.environment, WriteText);
  writer.Text(execute.directory);
  writer.Word(execute.terminal);
  writer.Number(execute.rows);
  writer.Number(execute.columns);
  writer.Word(execute.bond);
  WriteCount(writer, execute.wall);
  WriteCount(writer, execute.grace);
}

void Write(Writer& writer, const Dial& dial) { writer.Number(dial.port); }
void Write(Writer& writer, const SignalOne& one) {
  writer.Number(one.process);
  writer.Number(static_cast<std::uint64_t>(one.signal));
}
void Write(Writer& /*writer*/, const Look& /*look*/) {}
void Write(Writer& /*writer*/, const Freeze& /*freeze*/) {}
void Write(Writer& /*writer*/, const Thaw& /*thaw*/) {}
void Write(Writer& /*writer*/, const Vanish& /*vanish*/) {}
void Write(Writer& /*writer*/, const Watch& /*watch*/) {}
void Write(Writer& /*writer*/, const HandOut& /*hand_out*/) {}
void Write(Writer& /*writer*/, const Glance& /*glance*/) {}
void Write(Writer& /*writer*/, const Clear& /*clear*/) {}

void Write(Writer& writer, const Dialled& dialled) {
  writer.Number(static_cast<std::uint64_t>(dialled.os_errno));
}
void Write(Writer& writer, const Done& done) {
  writer.Number(static_cast<std::uint64_t>(done.os_errno));
}

void WriteProcess(Writer& writer, const SeenProcess& process) {
  writer.Number(process.process);
  writer.Number(process.parent);
  writer.Text(process.program);
  writer.Text(process.arguments);
  writer.Number(process.memory);
  WriteCount(writer, process.cpu);
}

SeenProcess ReadProcess(Reader& reader) {
  SeenProcess process;
  process.process = static_cast<std::uint32_t>(reader.Number());
  process.parent = static_cast<std::uint32_t>(reader.Number());
  process.program = reader.Text();
  process.arguments = reader.Text();
  process.memory = reader.Number();
  process.cpu = milliseconds(reader.Number());
  return process;
}

void Write(Writer& writer, const Seen& seen) {
  writer.Word(seen.state);
  WriteCount(writer, seen.cpu);
  writer.Number(seen.memory);
  writer.Number(seen.peak_memory);
  writer.Number(seen.out_of_memory);
  writer.Number(seen.held.memory);
  writer.Number(seen.held.processes);
  writer.Number(seen.held.processors);
  writer.Number(seen.layers.bits());
  writer.List(seen.processes, WriteProcess);
  writer.List(seen.ports, [](Writer& out, std::uint16_t port) { out.Number(port); });
}

Seen ReadSeen(Reader& reader) {
  Seen seen;
  seen.state = reader.Word(Seen::State::kFrozen);
  seen.cpu = microseconds(reader.Number());
  seen.memory = reader.Number();
  seen.peak_memory = reader.Number();
  seen.out_of_memory = reader.Number();
  seen.held.memory = reader.Number();
  seen.held.processes = reader.Number();
  seen.held.processors = reader.Number();
  seen.layers = LayerSet::OfBits(reader.Number());
  seen.processes = reader.List(ReadProcess);
  seen.ports = reader.List(ReadPort);
  return seen;
}

Execute ReadExecute(Reader& reader) {
  Execute execute;
  execute.arguments = reader.List(ReadText);
  execute.environment = reader.List(ReadText);
  execute.directory = reader.Text();
  execute.terminal = reader.Word(TerminalUse::kOwn);
  execute.rows = ReadPort(reader);
  execute.columns = ReadPort(reader);
  execute.bond = reader.Word(Execute::Bond::kDetached);
  execute.wall = milliseconds(reader.Number());
  execute.grace = milliseconds(reader.Number());
  if (execute.arguments.empty() || execute.wall.count() < 0 || execute.grace.count() < 0) {
    reader.Fail();
  }
  return execute;
}

SignalOne ReadSignalOne(Reader& reader) {
  SignalOne one;
  one.process = static_cast<std::uint32_t>(reader.Number());
  one.signal = static_cast<int>(reader.Number());
  return one;
}

// The first number of a message; the variant's own order is the format.
template <typename Variant>
std::string EncodeAny(const Variant& message) {
  Writer writer;
  writer.Number(message.index());
  std::visit([&writer](const auto& value) { Write(writer, value); }, message);
  return writer.Take();
}

Request ReadRequest(Reader& reader) {
  switch (reader.Number()) {
    case 0: return ReadExecute(reader);
    case 1: return Dial{ReadPort(reader)};
    case 2: return Look{};
    case 3: return Freeze{};
    case 4: return Thaw{};
    case 5: return ReadSignalOne(reader);
    case 6: return Vanish{};
    case 7: return Watch{};
    case 8: return HandOut{};
    case 9: return Glance{};
    case 10: return Clear{};
    default: reader.Fail(); return Look{};
  }
}

Reply ReadReply(Reader& reader) {
  switch (reader.Number()) {
    case 0: return Dialled{static_cast<int>(reader.Number())};
    case 1: return Done{static_cast<int>(reader.Number())};
    case 2: return ReadSeen(reader);
    default: reader.Fail(); return Done{};
  }
}

}  // namespace

std::string Encode(const Request& request) { return EncodeAny(request); }
std::string Encode(const Reply& reply) { return EncodeAny(reply); }

Result<Request> DecodeRequest(std::string_view bytes) {
  Reader reader(bytes);
  Request request = ReadRequest(reader);
  TRY(reader.Done());
  return request;
}

Result<Reply> DecodeReply(std::string_view bytes) {
  Reader reader(bytes);
  Reply reply = ReadReply(reader);
  TRY(reader.Done());
  return reply;
}

std::string Encode(const Epitaph& epitaph) {
  Writer writer;
  writer.Word(epitaph.cause);
  writer.Word(epitaph.memory);
  writer.Number(static_cast<std::uint64_t>(epitaph.status));
  writer.Number(static_cast<std::uint64_t>(epitaph.signal));
  return writer.Take();
}

Result<Epitaph> DecodeEpitaph(std::string_view bytes) {
  Reader reader(bytes);
  Epitaph epitaph;
  epitaph.cause = reader.Word(Epitaph::Cause::kDied);
  epitaph.memory = reader.Word(Epitaph::Memory::kRanOut);
  epitaph.status = static_cast<int>(reader.Number());
  epitaph.signal = static_cast<int>(reader.Number());
  TRY(reader.Done());
  return epitaph;
}

}  // namespace cordon::sandbox
