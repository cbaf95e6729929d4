# cmake --install: the two programs side by side (the server looks for its worker there), the manual and the shells'
# completions as the built binary prints them, and the docs.
include(GNUInstallDirs)

set(words ${CMAKE_BINARY_DIR}/words)
file(MAKE_DIRECTORY ${words})
add_custom_command(
  OUTPUT ${words}/understudy.1 ${words}/understudy.bash ${words}/_understudy ${words}/understudy.fish
  COMMAND sh -c "\"$<TARGET_FILE:understudy>\" man >understudy.1"
  COMMAND sh -c "\"$<TARGET_FILE:understudy>\" completion bash >understudy.bash"
  COMMAND sh -c "\"$<TARGET_FILE:understudy>\" completion zsh >_understudy"
  COMMAND sh -c "\"$<TARGET_FILE:understudy>\" completion fish >understudy.fish"
  WORKING_DIRECTORY ${words}
  DEPENDS understudy
  COMMENT "manual and completions"
  VERBATIM)
add_custom_target(words ALL DEPENDS ${words}/understudy.1)

install(TARGETS understudy understudy-media RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${words}/understudy.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${words}/understudy.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME understudy)
install(FILES ${words}/_understudy DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${words}/understudy.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# As in the repository, so that the links between them hold.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "openapi.json")
install(FILES README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
