# One room of src/ is one object library; libcordon is all of them in one archive.

find_program(CORDON_CCACHE ccache)
if(CORDON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CORDON_CCACHE})
endif()

add_library(cordon_flags INTERFACE)
target_compile_options(cordon_flags INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(CORDON_SANITIZE)
  target_compile_options(cordon_flags INTERFACE
    -fsanitize=${CORDON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(cordon_flags INTERFACE -fsanitize=${CORDON_SANITIZE})
endif()

# cordon_module(NAME SOURCES... [DEPENDS rooms...] [LINKS libraries...])
function(cordon_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  add_library(cordon_${name} OBJECT ${ARG_SOURCES})
  add_library(cordon::${name} ALIAS cordon_${name})
  target_include_directories(cordon_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(cordon_${name} PRIVATE cordon_flags)
  foreach(room ${ARG_DEPENDS})
    target_link_libraries(cordon_${name} PUBLIC cordon_${room})
  endforeach()
  target_link_libraries(cordon_${name} PUBLIC tl::expected ${ARG_LINKS})
endfunction()

# cordon_test(NAME SOURCES... [LABELS ...] [LINKS ...]): one gtest program.
function(cordon_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LABELS;LINKS;ENVIRONMENT" ${ARGN})
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
  target_include_directories(${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE CORDON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE cordon_flags libcordon GTest::gtest_main ${ARG_LINKS})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()
