#include "launch/setback.h"

#include <variant>

namespace cordon::launch {

using sandbox::Failed;

Setback SetbackOf(std::optional<sandbox::Layer> layer, const Error& error) {
  Setback setback;
  setback.layer = layer;
  setback.failed.stage = Failed::Stage::kSetUp;
  setback.failed.what = std::string(error.op);
  if (!error.component.empty()) setback.failed.what += " " + error.component;
  setback.failed.os_errno = error.os_errno;
  return setback;
}

std::string Encode(const Setback& setback) {
  const char layer = setback.layer ? static_cast<char>(*setback.layer) : '\xff';
  return std::string(1, layer) + sandbox::Encode(sandbox::Report(setback.failed));
}

Setback DecodeSetback(std::string_view bytes) {
  Setback setback;
  setback.failed.what = "start";
  if (bytes.empty()) return setback;
  const auto layer = static_cast<unsigned char>(bytes.front());
  const Result<sandbox::Report> report = sandbox::DecodeReport(bytes.substr(1));
  if (!report || !std::holds_alternative<Failed>(*report)) return setback;
  setback.failed = std::get<Failed>(*report);
  if (layer < sandbox::kLayers) setback.layer = static_cast<sandbox::Layer>(layer);
  return setback;
}

}  // namespace cordon::launch
