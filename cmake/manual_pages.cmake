# Run by the build: every manual page and completion script, by the program itself.
# cmake -DCORDON=... -DINTO=... -P manual_pages.cmake
file(REMOVE_RECURSE ${INTO}/man1)
file(MAKE_DIRECTORY ${INTO}/man1)
execute_process(COMMAND ${CORDON} manual --list OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
foreach(line ${lines})
  string(REGEX REPLACE "\t.*" "" page "${line}")
  execute_process(COMMAND ${CORDON} manual ${page} OUTPUT_FILE ${INTO}/man1/${page}.1
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(shell bash zsh fish)
  execute_process(COMMAND ${CORDON} completion ${shell} OUTPUT_FILE ${INTO}/completion.${shell}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
