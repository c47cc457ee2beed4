# One room of src/ is one object library; libcordon is all of them in one archive.

# cordon_module(NAME SOURCES... [DEPENDS rooms...] [LINKS libraries...])
# LINKS are seen by this room alone: a library is wrapped by one folder.
function(cordon_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_library(cordon_${name} OBJECT ${ARG_SOURCES})
  add_library(cordon::${name} ALIAS cordon_${name})
  set_target_properties(cordon_${name} PROPERTIES
    CORDON_LINKS "${ARG_LINKS}"
    # A program that puts the archive into a shared library does not re-export it.
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(cordon_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  foreach(room ${ARG_DEPENDS})
    target_link_libraries(cordon_${name} PUBLIC cordon_${room})
  endforeach()
  target_link_libraries(cordon_${name} PUBLIC tl::expected PRIVATE cordon_flags ${ARG_LINKS})
endfunction()

# What cordon_test and its like have in common.
function(cordon_test_program name)
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE cordon_flags libcordon)
endfunction()

# cordon_reads_tree(SOURCES...): tests that read files of this tree, by CORDON_SOURCE_DIR. The others do not
# know where they are, so that clones share what is compiled.
function(cordon_reads_tree)
  set_property(SOURCE ${ARGN} APPEND PROPERTY
    COMPILE_DEFINITIONS CORDON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()

# cordon_test(NAME SOURCES... [LABELS ...] [LINKS ...] [TIMEOUT s] [ENVIRONMENT ...]
#             [ARGS ...]): one gtest program. Tests labelled race or long run
# alone, so that nothing else takes the second core from them.
function(cordon_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LABELS;LINKS;ENVIRONMENT;ARGS" ${ARGN})
  if(NOT CORDON_TESTS)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  cordon_test_program(${name})
  target_link_libraries(${name} PRIVATE GTest::gtest_main GTest::gmock ${ARG_LINKS})
  if(CORDON_PCH)
    target_precompile_headers(${name} REUSE_FROM cordon_test_pch)
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "${ARG_ENVIRONMENT}")
  if("race" IN_LIST ARG_LABELS OR "long" IN_LIST ARG_LABELS)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

# Reusing one precompiled gtest takes about a second off every test source.
function(cordon_test_pch)
  if(CORDON_TESTS AND CORDON_PCH)
    # A program, not a library: a precompiled header serves only sources built with the
    # same kind of position-independent code.
    file(WRITE ${CMAKE_BINARY_DIR}/test_pch.cc "int main() {}\n")
    add_executable(cordon_test_pch ${CMAKE_BINARY_DIR}/test_pch.cc)
    cordon_test_program(cordon_test_pch)
    target_link_libraries(cordon_test_pch PRIVATE GTest::gtest GTest::gmock)
    target_precompile_headers(cordon_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()

# cordon_script_test(NAME LABELS ... COMMAND ...): a test that is no gtest program.
function(cordon_script_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;COMMAND" ${ARGN})
  if(NOT CORDON_TESTS)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${ARG_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
