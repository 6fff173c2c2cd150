# SPDX-License-Identifier: Apache-2.0 OR MIT
#
# What "cmake --install" puts where: headers, library, and how pkg-config and find_package find them.

include(CMakePackageConfigHelpers)

# What was installed may be moved as a whole: pkg-config looks from where its file lies, unless folders were named
# by absolute paths.
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(folder includedir libdir)
  string(TOUPPER CMAKE_INSTALL_${folder} path)
  set(pc_${folder} "${${path}}")
  if(NOT IS_ABSOLUTE "${${path}}")
    set(pc_${folder} "\${prefix}/${${path}}")
  endif()
endforeach()

# install_library NAME TARGETS HEADERS: the exported targets are the whole configuration.
function(install_library name targets headers)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(DIRECTORY ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(TARGETS ${targets} EXPORT ${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT ${name} NAMESPACE manyfish:: FILE ${name}-config.cmake DESTINATION ${package_dir})
  write_basic_package_version_file(${name}-config-version.cmake COMPATIBILITY SameMinorVersion)
  configure_file(${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}-config-version.cmake DESTINATION ${package_dir})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

install_library(manyfish "${libraries}" include/manyfish)
