# Installation and packages: the binary, its man page and completions (made by the binary itself), the CMake module,
# the documentation.
include(GNUInstallDirs)

# The C API of libclang lies in a folder of its own on Debian.
set_target_properties(gelint PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS gelint RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(made ${CMAKE_CURRENT_BINARY_DIR}/generated/install)
file(MAKE_DIRECTORY ${made})
add_custom_command(
  OUTPUT ${made}/gelint.1 ${made}/gelint.bash ${made}/_gelint ${made}/gelint.fish
  COMMAND gelint generate man > ${made}/gelint.1
  COMMAND gelint generate completion bash > ${made}/gelint.bash
  COMMAND gelint generate completion zsh > ${made}/_gelint
  COMMAND gelint generate completion fish > ${made}/gelint.fish
  DEPENDS gelint COMMENT "Man page and completions")
add_custom_target(gelint_generated ALL DEPENDS ${made}/gelint.1)
install(FILES ${made}/gelint.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/gelint.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gelint)
install(FILES ${made}/_gelint DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/gelint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/gelintConfig.cmake.in ${made}/gelintConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gelint
                              PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${made}/gelintConfigVersion.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${made}/gelintConfig.cmake ${made}/gelintConfigVersion.cmake cmake/GelintAudit.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gelint)

install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs OPTIONAL)
install(DIRECTORY ci/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gelint/ci OPTIONAL)

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME gelint)
set(CPACK_PACKAGE_CONTACT "The gelint maintainers <gelint@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "gelint scans C++ and CUDA inference code for activation sites, resolves what each
checkpoint asks for, joins the two into a decision table and proves differences
numerically.")
include(CPack)
