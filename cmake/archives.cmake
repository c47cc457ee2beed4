# Programs are linked from archives: where everything is in one file, the loader has next to nothing
# to do. The C library stays shared in those that look up users and hosts, because it loads what the
# machine does that with.
set(linked_from_archives ON)
if(CORDON_SANITIZE OR CORDON_FUZZ)  # whose runtimes are shared themselves
  set(linked_from_archives OFF)
endif()
option(CORDON_ARCHIVES "Link the program cordon from archives, where there are any" ${linked_from_archives})

# The archives that stand for `link`, those it needs in turn included; nothing if one is missing.
function(cordon_archives_of link result)
  if(link MATCHES "^PkgConfig::(.*)$")
    set(names ${${CMAKE_MATCH_1}_STATIC_LIBRARIES})
  elseif(link STREQUAL "OpenSSL::Crypto")
    set(names crypto)
  elseif(link STREQUAL "OpenSSL::SSL")
    set(names ssl crypto)
  elseif(link STREQUAL "Boost::json")
    set(names boost_json)
  else()
    set(names "")
  endif()
  set(found "")
  foreach(name ${names})
    if(name MATCHES "^(c|dl|m|pthread|rt)$")  # of the C library
      list(APPEND found ${name})
      continue()
    endif()
    find_library(CORDON_ARCHIVE_${name} NAMES lib${name}.a)
    mark_as_advanced(CORDON_ARCHIVE_${name})
    if(NOT CORDON_ARCHIVE_${name})
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND found ${CORDON_ARCHIVE_${name}})
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
