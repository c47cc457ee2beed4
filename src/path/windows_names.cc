#include "path/windows_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/unicode.h"
#include "path/refusal.h"

namespace cordon::path {
namespace {

constexpr std::size_t kMaxNameUnits = 255;  // NTFS counts UTF-16

// Microsoft's list, with both console names and the zero that some lists leave out.
constexpr std::array<std::string_view, 6> kDevices{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"};
constexpr std::array<std::string_view, 2> kNumberedDevices{"COM", "LPT"};
// Latin-1's superscripts count as digits here.
constexpr std::array<std::string_view, 3> kSuperscripts{"\u00B9", "\u00B2", "\u00B3"};

bool IsPortNumber(std::string_view text) {
  if (text.size() == 1) return text.front() >= '0' && text.front() <= '9';
  return std::find(kSuperscripts.begin(), kSuperscripts.end(), text) != kSuperscripts.end();
}

bool IsIllegal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || std::string_view("<>\"|?*\\/").find(c) != std::string_view::npos;
}

}  // namespace

bool IsReservedDeviceName(std::string_view name) {
  std::string_view base = name.substr(0, name.find_first_of(".:"));
  base = base.substr(0, base.find_last_not_of(' ') + 1);
  const std::string upper = unicode::UpcaseSimple(base);
  if (std::find(kDevices.begin(), kDevices.end(), upper) != kDevices.end()) return true;
  return std::any_of(
      kNumberedDevices.begin(), kNumberedDevices.end(), [&upper](std::string_view stem) {
        return upper.starts_with(stem) && IsPortNumber(std::string_view(upper).substr(stem.size()));
      });
}

bool IsDriveLike(std::string_view name) {
  const unicode::Decoded first = unicode::DecodeFirst(name);
  // ":" and "." begin the spellings of a directory's own streams instead.
  if (first.length == 0 || first.code_point == U':' || first.code_point == U'.') return false;
  return name.substr(first.length).starts_with(':');
}

bool IsDisguisedDotDot(std::string_view name) {
  return name != ".." && name.find_first_not_of(". ") == std::string_view::npos &&
         std::count(name.begin(), name.end(), '.') >= 2;
}

Status CheckWindowsName(std::string_view name) {
  if (IsReservedDeviceName(name)) return DeviceName(name);
  if (!unicode::IsValidUtf8(name)) {
    return InvalidPath("", "the name is not valid UTF-8", Violation::kEncoding);
  }
  if (name.find(':') != std::string_view::npos) {
    return InvalidPath(name, "a colon names a stream, which is not a file");
  }
  if (std::any_of(name.begin(), name.end(), IsIllegal)) {
    return InvalidPath(name, "the name contains a character that Windows does not allow");
  }
  if (name.ends_with('.') || name.ends_with(' ')) {
    return InvalidPath(name, "Windows drops a dot or space at the end of a name");
  }
  if (unicode::Utf16Length(name) > kMaxNameUnits) {
    return InvalidPath("", "a name is longer than 255 characters");
  }
  return {};
}

}  // namespace cordon::path
