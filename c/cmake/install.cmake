# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# What "cmake --install" puts where: headers, library, and how pkg-config and find_package find them.

include(CMakePackageConfigHelpers)

# install_library NAME TARGET HEADERS: the exported targets are the whole configuration.
function(install_library name target headers)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(TARGETS ${target} EXPORT ${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT ${name} NAMESPACE manyfish:: FILE ${name}-config.cmake DESTINATION ${package_dir})
  write_basic_package_version_file(${name}-config-version.cmake COMPATIBILITY SameMinorVersion)
  configure_file(${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}-config-version.cmake DESTINATION ${package_dir})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

install_library(manyfish manyfish include/manyfish)
