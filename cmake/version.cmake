# The version by git tag ("v0.2.0" gives 0.2.0; three commits later 0.2.0+3.gabcdef0, which is after
# 0.2.0 for dpkg, too); without git, or without a tag, the project's own. Found when the build is
# configured; docs/operations.md tells of it.
function(cordon_version_of described otherwise result)
  set(version ${otherwise})
  if(described MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)$")
    set(version ${CMAKE_MATCH_1})
  elseif(described MATCHES "^v([0-9]+\\.[0-9]+\\.[0-9]+)-([0-9]+)-(g[0-9a-f]+)$")
    set(version ${CMAKE_MATCH_1}+${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

function(cordon_version_in directory otherwise result)
  set(described "")
  find_program(CORDON_GIT git)
  # Another repository around an unpacked source tells nothing about it.
  if(CORDON_GIT AND EXISTS ${directory}/.git)
    execute_process(COMMAND ${CORDON_GIT} describe --tags --match "v[0-9]*"
      WORKING_DIRECTORY ${directory} OUTPUT_VARIABLE described ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  cordon_version_of("${described}" ${otherwise} version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()

if(PROJECT_SOURCE_DIR)  # else: a test asks for the functions alone
  cordon_version_in(${PROJECT_SOURCE_DIR} ${PROJECT_VERSION} CORDON_FULL_VERSION)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" CORDON_RELEASE ${CORDON_FULL_VERSION})
  set(CORDON_MAJOR ${CMAKE_MATCH_1})
  set(CORDON_MINOR ${CMAKE_MATCH_2})
  set(CORDON_PATCH ${CMAKE_MATCH_3})
endif()
