// How file systems compare names: which different spellings are one name.
// Pure text; runs on any system for any system's rules.
#pragma once

#include <string>
#include <string_view>

namespace cordon::path {

// A set of rules; a volume may follow several, an unknown one must be assumed
// to follow all.
enum class NameRules : unsigned {
  kExact = 0,      // bytes are compared as they are
  kCaseFold = 1,   // Unicode case folding and normal forms: APFS
  kNtfs = 2,       // case, trailing dots and spaces, ":stream", 8.3 aliases: NTFS, FAT, SMB
  kHfs = 4,        // case, normal forms and ignorable code points: HFS+
  kLinuxFold = 8,  // as kCaseFold, without what Unicode calls ignorable: ext4 and others with +F
  kAll = 15,
};

constexpr NameRules operator|(NameRules a, NameRules b) {
  return static_cast<NameRules>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr NameRules operator&(NameRules a, NameRules b) {
  return static_cast<NameRules>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
constexpr bool Any(NameRules rules) { return rules != NameRules::kExact; }

// The form in which `name` is compared under `rules`: names that such a volume
// takes for one have equal keys. Bytes that are not UTF-8 are kept as they are.
std::string NameKey(std::string_view name, NameRules rules);

// `name` without what NTFS does not count as part of it: ":stream" and all behind
// it, then trailing dots and spaces. A name of nothing else keeps its dots and
// spaces.
std::string_view StripNtfsDecoration(std::string_view name);

// The two below look at the name without such decoration, as the volume does.

// True if `name` has the shape of an 8.3 alias ("GIT~1", "ENV~1.LOC").
bool IsShortNameShape(std::string_view name);

// True if the 8.3 alias `name` could stand for a file whose long name matches
// `long_glob` ('*', '?' as wildcards). False if `name` has no such shape.
bool ShortNameMayAlias(std::string_view name, std::string_view long_glob);

}  // namespace cordon::path
