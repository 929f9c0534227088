# find_package(winnow) gives winnow_add_test, which makes mutation testing a test of CTest:
#
#   winnow_add_test(TARGET [SURVIVORS N] [BUDGET 60s] [DIFF REVISION] [TOP N])
#
# The test winnow.TARGET fails when more than N (0) gaps of the project's tests are new:
# survivors among the best mutants of TARGET that winnow-baseline.json, if there is one in
# the project's folder, does not name. It runs winnow ci, on a copy of the project that is
# built with WINNOW_OFF, so that it does not find itself among the project's tests.

find_program(WINNOW_EXECUTABLE winnow HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../build")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(winnow REQUIRED_VARS WINNOW_EXECUTABLE)

set(_winnow_run "${CMAKE_CURRENT_LIST_DIR}/winnow-run.cmake")

function(winnow_add_test target)
  if(WINNOW_OFF OR NOT WINNOW_EXECUTABLE)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SURVIVORS;BUDGET;DIFF;TOP" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "winnow_add_test does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(flags)
  foreach(pair "SURVIVORS;--allow" "BUDGET;--budget" "DIFF;--diff" "TOP;--top")
    list(GET pair 0 name)
    list(GET pair 1 flag)
    if(DEFINED arg_${name})
      list(APPEND flags ${flag} ${arg_${name}})
    endif()
  endforeach()
  add_test(NAME winnow.${target} COMMAND ${CMAKE_COMMAND}
    "-DWINNOW=${WINNOW_EXECUTABLE}" "-DTARGET=${target}" "-DSOURCE=${CMAKE_SOURCE_DIR}" "-DFLAGS=${flags}" -P "${_winnow_run}")
  set_tests_properties(winnow.${target} PROPERTIES RUN_SERIAL TRUE LABELS winnow)
endfunction()
