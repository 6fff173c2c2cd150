# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# What "cmake --install" puts where: headers, library, and how pkg-config and find_package find them.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/manyfish)

install(DIRECTORY include/manyfish DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS manyfish EXPORT manyfish
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The library has no dependency, so the exported targets are the whole configuration.
install(EXPORT manyfish NAMESPACE manyfish:: FILE manyfish-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(manyfish-config-version.cmake COMPATIBILITY SameMinorVersion)

configure_file(manyfish.pc.in manyfish.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manyfish-config-version.cmake DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/manyfish.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
