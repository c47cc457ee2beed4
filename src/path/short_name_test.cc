#include <gtest/gtest.h>

#include <string>

#include "path/name_rules.h"

namespace cordon::path {
namespace {

TEST(IsShortNameShape, KnowsAliases) {
  for (const char* name : {"git~1",    "GIT~1",    "ENV~1.LOC", "PROGRA~1",     "LONGFI~1.TXT",
                           "MICROS~2", "DOCUME~1", "a~1",       "GI7EBA~1",     "GI7EB~10",
                           "x~9.c",    "git~1 . ", "git~1.",    "git~1:stream", "git~1::$DATA",
                           "A_B~1",    "A~B~1",    "a~1.",      "ENV~123",      "\u00C4\u00D6~1"}) {
    EXPECT_TRUE(IsShortNameShape(name)) << name;
  }
}

TEST(IsShortNameShape, TakesNoOrdinaryNameForOne) {
  for (const char* name : {"",
                           "0~rslib-runtime.js",
                           "git~x",
                           "foo~bar",
                           "~backup",
                           "~1",
                           "confirmations~2",
                           "git~",
                           "git~0",
                           "git~01",
                           "git~1x",
                           "git~1.html",
                           "git~1.tar.gz",
                           "toolong~1",
                           "a b~1",
                           "a+b~1",
                           ".git~1",
                           "file.txt~1",
                           "file.txt~",
                           "~$doc.docx",
                           "git1",
                           "#file#"}) {
    EXPECT_FALSE(IsShortNameShape(name)) << name;
  }
}

struct Aliasing {
  const char* alias;
  const char* glob;
};

TEST(ShortNameMayAlias, FindsWhatAnAliasCouldStandFor) {
  const Aliasing cases[] = {
      {"git~1", ".git"},
      {"GIT~2", ".git"},
      {"git~1 . ", ".git"},
      {"git~1::$INDEX_ALLOCATION", ".git"},
      {"SSH~1", ".ssh"},
      {"ENV~1", ".env"},
      {"ENV~1.LOC", ".env.*"},
      {"ENV~1.LOC", ".env.local"},
      {"ENV~2.PRO", ".env.production"},
      {"ENVDEV~1.LOC", ".env.*"},  // .env.dev.local: inner dots go
      {"GITMOD~1", ".gitmodules"},
      {"GI7EBA~1", ".gitmodules"},  // the hashed form
      {"GI0123~9", ".git"},
      {"GI012~10", ".git"},
      {"EN9ABC~1.LOC", ".env.local"},
      {"CREDEN~1.JSO", "credentials.json"},
      {"SERVER~1.PEM", "*.pem"},
      {"ID_RSA~1", "id_rsa*"},
      {"MYFILE~1.TXT", "my file.txt"},  // spaces go
      {"A_B~1", "a+b"},                 // what DOS could not write
      {"A_B_C_~1", "a[b]c=d"},
      {"ABC~1", "?abc"},  // one that may be a dot
      {"XYZ~1", "*"},
      {"X1234~1", ".x"},           // one letter and a hash
      {"BCHER~1", "b\u00FCcher"},  // a code page decides
  };
  for (const auto& [alias, glob] : cases) {
    EXPECT_TRUE(ShortNameMayAlias(alias, glob)) << alias << " " << glob;
  }
}

TEST(ShortNameMayAlias, AccusesNoOther) {
  const Aliasing cases[] = {
      {"git~x", ".git"},                                 // no alias at all
      {".git", ".git"},           {"GITIGN~1", ".git"},  // .gitignore
      {"GIT~1.TXT", ".git"},                             // .git has no extension
      {"GI~1", ".git"},                                  // would have had room for the t
      {"SSH~1", ".git"},          {"ENV~1.LOC", ".env"},     {"ENV~1", ".env.*"},
      {"ENV~1.LO", ".env.local"}, {"PROGRA~1", ".env.*"},    {"ENVIRO~1", ".env"},
      {"GIZZZZ~1", ".git"},  // not hexadecimal
      {"GI012~1", ".git"},   // hash too short
      {"XY1234~1", ".x"},         {"SERVER~1.PEM", "*.key"}, {"0~rslib-runtime.js", "*"},
  };
  for (const auto& [alias, glob] : cases) {
    EXPECT_FALSE(ShortNameMayAlias(alias, glob)) << alias << " " << glob;
  }
}

}  // namespace
}  // namespace cordon::path
