#include "sandbox/spec.h"

#include "base/try.h"
#include "sandbox/wire.h"

namespace cordon::sandbox {
namespace {

using wire::Reader;
using wire::Writer;

void WriteText(Writer& writer, const std::string& text) { writer.Text(text); }
std::string ReadText(Reader& reader) { return reader.Text(); }

void WritePlace(Writer& writer, const Place& place) {
  writer.Text(place.path);
  writer.Word(place.access);
  writer.Text(place.inside);
}

Place ReadPlace(Reader& reader) {
  Place place;
  place.path = reader.Text();
  place.access = reader.Word(Place::Access::kReadWrite);
  place.inside = reader.Text();
  return place;
}

void WriteRule(Writer& writer, const policy::DenyRule& rule) {
  writer.Text(rule.pattern);
  writer.List(rule.except, WriteText);
  writer.Number(rule.operations.to_ulong());
  writer.Text(rule.reason);
  writer.Text(rule.origin);
}

policy::DenyRule ReadRule(Reader& reader) {
  policy::DenyRule rule;
  rule.pattern = reader.Text();
  rule.except = reader.List(ReadText);
  rule.operations = policy::OperationSet(reader.Number());
  rule.reason = reader.Text();
  rule.origin = reader.Text();
  return rule;
}

void WriteLimits(Writer& writer, const Limits& limits) {
  writer.Number(static_cast<std::uint64_t>(limits.wall.count()));
  writer.Number(static_cast<std::uint64_t>(limits.grace.count()));
  writer.Number(static_cast<std::uint64_t>(limits.cpu.count()));
  writer.Number(limits.memory);
  writer.Number(limits.processes);
  writer.Number(limits.open_files);
  writer.Number(limits.file_size);
  writer.Number(limits.written);
  writer.Number(limits.processors);
  writer.Number(limits.private_space);
}

Limits ReadLimits(Reader& reader) {
  Limits limits;
  limits.wall = std::chrono::milliseconds(reader.Number());
  limits.grace = std::chrono::milliseconds(reader.Number());
  limits.cpu = std::chrono::seconds(reader.Number());
  limits.memory = reader.Number();
  limits.processes = reader.Number();
  limits.open_files = reader.Number();
  limits.file_size = reader.Number();
  limits.written = reader.Number();
  limits.processors = reader.Number();
  limits.private_space = reader.Number();
  return limits;
}

}  // namespace

std::string Encode(const Spec& spec) {
  Writer writer;
  writer.List(spec.arguments, WriteText);
  writer.List(spec.environment, WriteText);
  writer.Text(spec.directory);
  writer.List(spec.places, WritePlace);
  writer.List(spec.system, WritePlace);
  writer.Text(spec.home);
  writer.List(spec.hidden, WriteText);
  writer.List(spec.denied, WriteRule);
  writer.Word(spec.git);
  writer.Word(spec.outside);
  writer.Word(spec.listing);
  writer.Word(spec.network);
  writer.Word(spec.terminal);
  WriteLimits(writer, spec.limits);
  writer.Number(spec.wanted.bits());
  writer.Number(spec.required.bits());
  return writer.Take();
}

Result<Spec> DecodeSpec(std::string_view bytes) {
  Reader reader(bytes);
  Spec spec;
  spec.arguments = reader.List(ReadText);
  spec.environment = reader.List(ReadText);
  spec.directory = reader.Text();
  spec.places = reader.List(ReadPlace);
  spec.system = reader.List(ReadPlace);
  spec.home = reader.Text();
  spec.hidden = reader.List(ReadText);
  spec.denied = reader.List(ReadRule);
  spec.git = reader.Word(GitRules::kNoCodeFromRepositories);
  spec.outside = reader.Word(Outside::kAsk);
  spec.listing = reader.Word(Listing::kSupervised);
  spec.network = reader.Word(Network::kFull);
  spec.terminal = reader.Word(TerminalUse::kOwn);
  spec.limits = ReadLimits(reader);
  spec.wanted = LayerSet::OfBits(reader.Number());
  spec.required = LayerSet::OfBits(reader.Number());
  TRY(reader.Done());
  return spec;
}

}  // namespace cordon::sandbox
