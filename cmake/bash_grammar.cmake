# The grammar by which src/shell reads command lines: tree-sitter-bash, which no distribution
# packages. Its archive is fetched once, kept outside the build tree, and used only if it is
# the one named here.
set(CORDON_BASH_GRAMMAR_ARCHIVE "" CACHE FILEPATH
  "tree-sitter-bash-0.23.3.tgz, for builds without a network; empty: npm fetches it")

set(name tree-sitter-bash)
set(version 0.23.3)
set(sha512 "dfa720fc643662621b7a205ea9eba1e1f049ea2e24815a2e0daa93c6a8a1e72b\
0f6a0fb31ee7f221ac4c38578cf027a997000afcbba3d68e571ea81d01fa0266")

# Sets `verdict` to whether `file` is the archive.
function(cordon_is_bash_grammar file verdict)
  set(${verdict} FALSE PARENT_SCOPE)
  if(EXISTS ${file} AND NOT IS_DIRECTORY ${file})
    file(SHA512 ${file} found)
    if(found STREQUAL sha512)
      set(${verdict} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Leaves the archive at `kept`, or stops.
function(cordon_fetch_bash_grammar kept)
  find_program(CORDON_NPM npm)
  set(by_hand "or set CORDON_BASH_GRAMMAR_ARCHIVE to ${name}-${version}.tgz")
  if(NOT CORDON_NPM)
    message(FATAL_ERROR "npm is needed once, to fetch ${name} ${version}. Install npm, ${by_hand}.")
  endif()
  set(work ${CMAKE_BINARY_DIR}/bash_grammar/fetch)
  file(MAKE_DIRECTORY ${work})
  message(STATUS "Fetching ${name} ${version} to ${kept}")
  execute_process(COMMAND ${CORDON_NPM} pack --silent --ignore-scripts ${name}@${version}
    WORKING_DIRECTORY ${work} RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_QUIET TIMEOUT 300)
  set(fetched ${work}/${name}-${version}.tgz)
  if(failed OR NOT EXISTS ${fetched})
    message(FATAL_ERROR "npm could not fetch ${name} ${version} (${failed}): ${said}\n"
      "Try again with a network, ${by_hand}.")
  endif()
  cordon_is_bash_grammar(${fetched} right)
  if(NOT right)
    file(REMOVE ${fetched})
    message(FATAL_ERROR "What npm fetched as ${name} ${version} is not what it should be.")
  endif()
  get_filename_component(folder ${kept} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  # By way of a name of its own: another build may be doing the same.
  string(RANDOM LENGTH 12 unique)
  file(COPY_FILE ${fetched} ${kept}.${unique})
  file(RENAME ${kept}.${unique} ${kept})
endfunction()

if(CORDON_BASH_GRAMMAR_ARCHIVE)
  set(archive ${CORDON_BASH_GRAMMAR_ARCHIVE})
  cordon_is_bash_grammar(${archive} right)
  if(NOT right)
    message(FATAL_ERROR "CORDON_BASH_GRAMMAR_ARCHIVE=${archive} is not ${name} ${version}.")
  endif()
else()
  if(IS_ABSOLUTE "$ENV{XDG_CACHE_HOME}")
    set(keep $ENV{XDG_CACHE_HOME}/cordon)
  elseif(IS_ABSOLUTE "$ENV{HOME}")
    set(keep $ENV{HOME}/.cache/cordon)
  else()
    set(keep ${CMAKE_BINARY_DIR}/bash_grammar)
  endif()
  set(archive ${keep}/${name}-${version}.tgz)
  cordon_is_bash_grammar(${archive} right)
  if(NOT right)
    cordon_fetch_bash_grammar(${archive})
  endif()
endif()

set(grammar ${CMAKE_BINARY_DIR}/bash_grammar/${version})
if(NOT EXISTS ${grammar}/complete)
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${grammar}
    PATTERNS package/src/*.c package/src/tree_sitter/*.h package/LICENSE)
  file(TOUCH ${grammar}/complete)
endif()

# Objects, as a room's: they become part of libcordon. Their warnings are not ours.
add_library(cordon_bash_grammar OBJECT ${grammar}/package/src/parser.c ${grammar}/package/src/scanner.c)
target_include_directories(cordon_bash_grammar PRIVATE ${grammar}/package/src)
target_compile_options(cordon_bash_grammar PRIVATE -w -ffunction-sections -fdata-sections
  $<$<BOOL:${CORDON_FUZZ}>:-fsanitize=address>)
set_target_properties(cordon_bash_grammar PROPERTIES C_VISIBILITY_PRESET hidden C_STANDARD 11)
install(FILES ${grammar}/package/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.${name}
  COMPONENT cordon)
