# The dashboard (web/): type-checked, bundled and compressed by npm's tools, then put into the
# program as one source that is made here.
option(CORDON_WEB "Put the dashboard into cordon serve; needs npm" ON)

set(CORDON_WEB_ASSETS ${PROJECT_SOURCE_DIR}/src/serve/no_web_assets.cc)
if(NOT CORDON_WEB)
  return()
endif()
find_program(CORDON_NPM npm)
find_program(CORDON_NODE NAMES node nodejs)
if(NOT CORDON_NPM OR NOT CORDON_NODE)
  message(FATAL_ERROR "npm and node are needed to build the dashboard. Install npm, or build "
    "without a dashboard: -DCORDON_WEB=OFF.")
endif()

set(web ${PROJECT_SOURCE_DIR}/web)
set(work ${CMAKE_BINARY_DIR}/web)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.tsx ${web}/src/*.css
     ${web}/src/*.svg ${web}/src/*.html)

# The packages, exactly those of the lock, without any script of theirs.
add_custom_command(OUTPUT ${work}/installed
  COMMAND ${CMAKE_COMMAND} -E make_directory ${work}
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${web}/.npmrc ${work}
  COMMAND ${CMAKE_COMMAND} -E chdir ${work} ${CORDON_NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${work}/installed
  DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
  COMMENT "Getting the dashboard's packages" VERBATIM)
add_custom_command(OUTPUT ${work}/web_assets.cc
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${work}/src
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${web}/src ${work}/src
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/tsconfig.json ${web}/build.mjs ${work}
  COMMAND ${CMAKE_COMMAND} -E chdir ${work} ${CORDON_NODE} node_modules/typescript/bin/tsc --noEmit
          -p tsconfig.json
  COMMAND ${CMAKE_COMMAND} -E chdir ${work} ${CORDON_NODE} build.mjs
  DEPENDS ${work}/installed ${web_sources} ${web}/tsconfig.json ${web}/build.mjs
  COMMENT "Building the dashboard" VERBATIM)
set(CORDON_WEB_ASSETS ${work}/web_assets.cc)
