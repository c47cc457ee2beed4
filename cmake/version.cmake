# The version by git tag ("v0.2.0" gives 0.2.0; three commits later 0.2.0-3-gabcdef0); without git,
# or without a tag, the project's own.
set(CORDON_FULL_VERSION ${PROJECT_VERSION})
find_program(CORDON_GIT git)
if(CORDON_GIT AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${CORDON_GIT} describe --tags --match "v[0-9]*"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE described ERROR_QUIET
    RESULT_VARIABLE untagged OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT untagged AND described MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+(-[0-9]+-g[0-9a-f]+)?)$")
    set(CORDON_FULL_VERSION ${CMAKE_MATCH_1})
  endif()
endif()
