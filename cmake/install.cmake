# libcordon, its headers, the program, and what find_package and pkg-config read.
include(CMakePackageConfigHelpers)

# A room that links a new library must say here how the installed archive finds it.
set(CORDON_FIND_DEPENDENCIES "")
set(CORDON_PC_REQUIRES "")
set(CORDON_PC_LIBS "")
get_target_property(links libcordon CORDON_LINKS)
foreach(link ${links})
  if(link STREQUAL "PkgConfig::utf8proc")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::utf8proc)\n"
      "  pkg_check_modules(utf8proc REQUIRED QUIET IMPORTED_TARGET libutf8proc)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES libutf8proc)
  elseif(link STREQUAL "PkgConfig::re2")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::re2)\n"
      "  pkg_check_modules(re2 REQUIRED QUIET IMPORTED_TARGET re2)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES re2)
  elseif(link STREQUAL "PkgConfig::cjose")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::cjose)\n"
      "  pkg_check_modules(cjose REQUIRED QUIET IMPORTED_TARGET cjose)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES cjose)
  elseif(link STREQUAL "PkgConfig::tree_sitter")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::tree_sitter)\n"
      "  pkg_check_modules(tree_sitter REQUIRED QUIET IMPORTED_TARGET tree-sitter)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES tree-sitter)
  elseif(link STREQUAL "PkgConfig::seccomp")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::seccomp)\n"
      "  pkg_check_modules(seccomp REQUIRED QUIET IMPORTED_TARGET libseccomp)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES libseccomp)
  elseif(link STREQUAL "PkgConfig::sqlite3")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
      "if(NOT TARGET PkgConfig::sqlite3)\n"
      "  pkg_check_modules(sqlite3 REQUIRED QUIET IMPORTED_TARGET sqlite3)\nendif()\n")
    list(APPEND CORDON_PC_REQUIRES sqlite3)
  elseif(link STREQUAL "tomlplusplus::tomlplusplus")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(tomlplusplus)\n")
    list(APPEND CORDON_PC_REQUIRES tomlplusplus)
  elseif(link STREQUAL "Boost::json")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(Boost 1.81 COMPONENTS json)\n")
    list(APPEND CORDON_PC_LIBS -lboost_json)
  elseif(link STREQUAL "OpenSSL::Crypto")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(OpenSSL 3.0 COMPONENTS Crypto)\n")
    list(APPEND CORDON_PC_REQUIRES libcrypto)
  elseif(link STREQUAL "OpenSSL::SSL")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(OpenSSL 3.0 COMPONENTS SSL)\n")
    list(APPEND CORDON_PC_REQUIRES libssl)
  elseif(link STREQUAL "Threads::Threads")
    string(APPEND CORDON_FIND_DEPENDENCIES "find_dependency(Threads)\n")
    list(APPEND CORDON_PC_LIBS -pthread)
  else()
    message(FATAL_ERROR "cmake/install.cmake does not know how to find ${link}")
  endif()
endforeach()
if(CORDON_SANITIZE)  # whoever links this archive needs the same runtime
  list(APPEND CORDON_PC_LIBS -fsanitize=${CORDON_SANITIZE})
  target_link_options(libcordon INTERFACE $<INSTALL_INTERFACE:-fsanitize=${CORDON_SANITIZE}>)
endif()
list(JOIN CORDON_PC_REQUIRES " " CORDON_PC_REQUIRES)
list(JOIN CORDON_PC_LIBS " " CORDON_PC_LIBS)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cordon)
configure_package_config_file(cmake/cordonConfig.cmake.in ${CMAKE_BINARY_DIR}/cordonConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/cordonConfigVersion.cmake
  VERSION ${CORDON_RELEASE} COMPATIBILITY SameMinorVersion)
# The prefix is known when installing, not now; pkg-config finds it from the file's place.
file(RELATIVE_PATH CORDON_PC_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/cordon.pc.in ${CMAKE_BINARY_DIR}/cordon.pc @ONLY)

install(TARGETS libcordon EXPORT cordonTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT development)
install(DIRECTORY include/cordon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.h")
install(EXPORT cordonTargets NAMESPACE cordon:: DESTINATION ${package_dir} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/cordonConfig.cmake ${CMAKE_BINARY_DIR}/cordonConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/cordon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cordon)
if(TARGET cordon)
  set_target_properties(cordon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS cordon RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cordon)
  install(TARGETS cordon-all RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/cordon COMPONENT cordon)
endif()
