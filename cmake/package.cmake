# What is installed beside the programs, and the packages: `make package`.
if(NOT TARGET cordon OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  return()
endif()

set(pages ${CMAKE_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${pages}/complete
  COMMAND ${CMAKE_COMMAND} -DCORDON=$<TARGET_FILE:cordon> -DINTO=${pages}
          -P ${PROJECT_SOURCE_DIR}/cmake/manual_pages.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/complete
  DEPENDS cordon ${PROJECT_SOURCE_DIR}/cmake/manual_pages.cmake
  COMMENT "Manual pages and completion" VERBATIM)
add_custom_target(cordon_manual ALL DEPENDS ${pages}/complete)

install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT cordon)
install(FILES ${pages}/completion.bash RENAME cordon COMPONENT cordon
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/completion.zsh RENAME _cordon COMPONENT cordon
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${pages}/completion.fish RENAME cordon.fish COMPONENT cordon
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cordon)
install(FILES cmake/debian/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libcordon-dev
  COMPONENT development)
# The unit names the program by its place.
configure_file(cmake/cordon.service.in ${CMAKE_BINARY_DIR}/cordon.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/cordon.service DESTINATION lib/systemd/system COMPONENT cordon)

set(package_version ${CORDON_FULL_VERSION})
set(CPACK_PACKAGE_NAME cordon)
set(CPACK_PACKAGE_VERSION ${package_version})
set(CPACK_PACKAGE_VENDOR "Cordon")
set(CPACK_PACKAGE_CONTACT "The Cordon authors <cordon@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL cordon development)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_CORDON_PACKAGE_NAME cordon)
set(CPACK_DEBIAN_CORDON_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_CORDON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CORDON_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm
  ${PROJECT_SOURCE_DIR}/cmake/debian/postrm)
set(CPACK_DEBIAN_CORDON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_CORDON_DESCRIPTION
  "Draws a line around what an AI agent may touch: paths, commands, sandboxes.\n\
An untrusted path goes in; out comes an open file that was inside the\n\
workspace, or a refusal that says why. Commands run behind the kernel's line,\n\
and cordon serve keeps one sandbox for each conversation.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcordon-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libexpected-dev, libtomlplusplus-dev, libutf8proc-dev, libssl-dev, libre2-dev, libcjose-dev, \
libjansson-dev, libtree-sitter-dev, libseccomp-dev, libsqlite3-dev, \
libboost1.81-dev | libboost-dev, libboost-json1.81-dev | libboost-json-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Library and headers of Cordon, for programs in C++20.\n\
cordon::Workspace opens, reads and writes files by untrusted paths and never\n\
leaves its directory.")

# The tarball: the programs without the library, with everything linked in that can be.
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_CORDON_FILE_NAME
  "cordon-${package_version}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_ARCHIVE_DEVELOPMENT_FILE_NAME
  "cordon-dev-${package_version}-linux-${CMAKE_SYSTEM_PROCESSOR}")
include(CPack)
