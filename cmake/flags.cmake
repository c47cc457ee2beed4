# How everything in the tree is compiled.

find_program(CORDON_CCACHE ccache)
if(CORDON_CCACHE)
  # Paths relative to the tree, so that clones share it. Without the sloppiness it passes over
  # every source that has a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CORDON_CCACHE})
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
    endif()
  endforeach()
endif()

add_library(cordon_flags INTERFACE)
target_compile_options(cordon_flags INTERFACE -Wall -Wextra -Wpedantic
  $<$<BOOL:${CORDON_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>
  # One section per function: unused ones are dropped from programs, and
  # scripts/check_symbols.py can tell which function refers to what.
  -ffunction-sections -fdata-sections)
target_link_options(cordon_flags INTERFACE -Wl,--gc-sections)
# When optimising, GCC 12 finds faults in std::string and Boost.JSON that are not there
# (GCC bugs 105329, 105651); the Debug and clang builds keep these warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  foreach(warning restrict array-bounds stringop-overflow stringop-overread dangling-pointer
                  maybe-uninitialized)
    target_compile_options(cordon_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-Wno-${warning}>)
  endforeach()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CORDON_SANITIZE)
  target_compile_options(cordon_flags INTERFACE -Wno-maybe-uninitialized)  # the instrumentation
endif()

if(CORDON_SANITIZE)
  target_compile_options(cordon_flags INTERFACE
    -fsanitize=${CORDON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cordon_flags INTERFACE -fsanitize=${CORDON_SANITIZE})
else()
  target_compile_options(cordon_flags INTERFACE -fstack-protector-strong
    # Some distributions define it already, with another value.
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(cordon_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
target_compile_definitions(cordon_flags INTERFACE _GLIBCXX_ASSERTIONS)
