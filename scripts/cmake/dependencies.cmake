# Every dependency of HotKV, each behind a cache variable that takes another copy.
#
#   HOTKV_XXHASH_DIR      folder with xxhash.h                     -> hotkv_xxhash
#   HOTKV_JSON_DIR        folder with nlohmann/json.hpp            -> hotkv_json
#   HOTKV_GTEST_DIR       source folder of GoogleTest              -> hotkv_gtest
#   HOTKV_IMGUI_DIR       source folder of Dear ImGui 1.90        -> hotkv_imgui
#   HOTKV_BENCHMARK_DIR   prefix of Google Benchmark (optional)    -> hotkv_benchmark
#   HOTKV_BOOST_DIR       folder with boost/asio.hpp               -> hotkv_asio
#   OPENSSL_ROOT_DIR      OpenSSL, as CMake's own module names it  -> part of hotkv_asio
#   HOTKV_EDIT_DIR        prefix of libedit                        -> hotkv_edit
#   HOTKV_ALLOCATOR       mimalloc, jemalloc or system             -> hotkv_allocator
#   HOTKV_ALLOCATOR_DIR   prefix of that allocator (optional)
#
# Headers that wasm shares with native are copied into the build tree: the host's /usr/include must
# never be on the include path of a cross build.

set(HOTKV_XXHASH_DIR "/usr/include" CACHE PATH "Folder with xxhash.h")
set(HOTKV_JSON_DIR "/usr/include" CACHE PATH "Folder with nlohmann/json.hpp")
set(HOTKV_GTEST_DIR "/usr/src/googletest/googletest" CACHE PATH "Source folder of GoogleTest")
set(HOTKV_IMGUI_DIR "${CMAKE_SOURCE_DIR}/build/sources/imgui" CACHE PATH "Source of Dear ImGui")
set(HOTKV_BENCHMARK_DIR "" CACHE PATH "Prefix of Google Benchmark")
set(HOTKV_BOOST_DIR "/usr/include" CACHE PATH "Folder with boost/asio.hpp")
set(HOTKV_EDIT_DIR "" CACHE PATH "Prefix of libedit")
set(HOTKV_ALLOCATOR "mimalloc" CACHE STRING "Allocator of native programs")
set(HOTKV_ALLOCATOR_DIR "" CACHE PATH "Prefix of the allocator's library")
set_property(CACHE HOTKV_ALLOCATOR PROPERTY STRINGS mimalloc jemalloc system)

set(HOTKV_COPIED_HEADERS "${CMAKE_BINARY_DIR}/copied_headers")

function(hotkv_require_file path variable)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${path} not found: run scripts/setup, or pass -D${variable}=<folder>")
  endif()
endfunction()

# xxHash: one header, inlined by the file that defines XXH_INLINE_ALL before it includes it.
hotkv_require_file("${HOTKV_XXHASH_DIR}/xxhash.h" HOTKV_XXHASH_DIR)
configure_file("${HOTKV_XXHASH_DIR}/xxhash.h" "${HOTKV_COPIED_HEADERS}/xxhash/xxhash.h" COPYONLY)
add_library(hotkv_xxhash INTERFACE)
target_include_directories(hotkv_xxhash SYSTEM INTERFACE "${HOTKV_COPIED_HEADERS}/xxhash")

# nlohmann-json, without exceptions: whoever parses asks parse() not to throw and checks the result.
hotkv_require_file("${HOTKV_JSON_DIR}/nlohmann/json.hpp" HOTKV_JSON_DIR)
file(COPY "${HOTKV_JSON_DIR}/nlohmann" DESTINATION "${HOTKV_COPIED_HEADERS}/json")
add_library(hotkv_json INTERFACE)
target_include_directories(hotkv_json SYSTEM INTERFACE "${HOTKV_COPIED_HEADERS}/json")

# Dear ImGui is no Debian library: its source comes from Debian's source package, checked, below
# build/sources. A checkout that was never set up fetches it here.
if(NOT EXISTS "${HOTKV_IMGUI_DIR}/imgui.h")
  execute_process(COMMAND "${CMAKE_SOURCE_DIR}/scripts/setup" sources)
endif()
hotkv_require_file("${HOTKV_IMGUI_DIR}/imgui.h" HOTKV_IMGUI_DIR)
add_library(hotkv_imgui STATIC EXCLUDE_FROM_ALL
            "${HOTKV_IMGUI_DIR}/imgui.cpp" "${HOTKV_IMGUI_DIR}/imgui_draw.cpp"
            "${HOTKV_IMGUI_DIR}/imgui_tables.cpp" "${HOTKV_IMGUI_DIR}/imgui_widgets.cpp")
target_include_directories(hotkv_imgui SYSTEM PUBLIC "${HOTKV_IMGUI_DIR}")
target_compile_definitions(hotkv_imgui PUBLIC
  IMGUI_DISABLE_FILE_FUNCTIONS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_DEMO_WINDOWS
  IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
target_compile_options(hotkv_imgui PRIVATE -w -fno-exceptions -fno-rtti)

# GoogleTest is compiled here with our own flags, so that sanitizers and wasm see all of it.
function(hotkv_add_gtest)
  hotkv_require_file("${HOTKV_GTEST_DIR}/src/gtest-all.cc" HOTKV_GTEST_DIR)
  add_library(hotkv_gtest STATIC EXCLUDE_FROM_ALL "${HOTKV_GTEST_DIR}/src/gtest-all.cc")
  target_include_directories(hotkv_gtest SYSTEM PUBLIC "${HOTKV_GTEST_DIR}/include")
  target_include_directories(hotkv_gtest PRIVATE "${HOTKV_GTEST_DIR}")
  target_compile_options(hotkv_gtest PRIVATE -w)
  if(EMSCRIPTEN)
    target_compile_definitions(hotkv_gtest PUBLIC GTEST_HAS_PTHREAD=0 GTEST_HAS_EXCEPTIONS=0)
  else()
    target_link_libraries(hotkv_gtest PUBLIC Threads::Threads)
  endif()
endfunction()

if(EMSCRIPTEN)
  return()
endif()

find_package(Threads REQUIRED)

# Google Benchmark is used by tests/bench only; without it hotkv_bench is not built.
find_package(benchmark QUIET PATHS "${HOTKV_BENCHMARK_DIR}")
if(benchmark_FOUND)
  add_library(hotkv_benchmark INTERFACE)
  target_link_libraries(hotkv_benchmark INTERFACE benchmark::benchmark)
endif()

# Asio, Beast and OpenSSL: the native host's sockets, timers, HTTP and TLS.
hotkv_require_file("${HOTKV_BOOST_DIR}/boost/asio.hpp" HOTKV_BOOST_DIR)
find_package(OpenSSL REQUIRED)
add_library(hotkv_asio INTERFACE)
if(NOT HOTKV_BOOST_DIR STREQUAL "/usr/include")
  target_include_directories(hotkv_asio SYSTEM INTERFACE "${HOTKV_BOOST_DIR}")
endif()
# Handlers run on one thread, so Asio needs no memory fences, which the thread sanitizer refuses.
target_compile_definitions(hotkv_asio INTERFACE BOOST_ERROR_CODE_HEADER_ONLY
                                                BOOST_ASIO_NO_DEPRECATED
                                                BOOST_ASIO_DISABLE_FENCED_BLOCK)
target_link_libraries(hotkv_asio INTERFACE OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

# libedit: line editing in hotkv-cli.
find_path(HOTKV_EDIT_INCLUDE_DIR histedit.h HINTS "${HOTKV_EDIT_DIR}/include")
find_library(HOTKV_EDIT_LIBRARY edit HINTS "${HOTKV_EDIT_DIR}/lib")
if(NOT HOTKV_EDIT_INCLUDE_DIR OR NOT HOTKV_EDIT_LIBRARY)
  message(FATAL_ERROR "libedit not found: run scripts/setup, or pass -DHOTKV_EDIT_DIR=<prefix>")
endif()
add_library(hotkv_edit INTERFACE)
if(NOT HOTKV_EDIT_INCLUDE_DIR STREQUAL "/usr/include")
  target_include_directories(hotkv_edit SYSTEM INTERFACE "${HOTKV_EDIT_INCLUDE_DIR}")
endif()
target_link_libraries(hotkv_edit INTERFACE "${HOTKV_EDIT_LIBRARY}")

# The allocator replaces malloc for a whole program. A static library is preferred (nothing to
# install beside the binary, no PLT call per allocation); distributions that ship only the shared
# one get that, and the configure line says which it is.
add_library(hotkv_allocator INTERFACE)
if(HOTKV_ALLOCATOR STREQUAL "system")
  message(STATUS "Allocator: the C library's")
elseif(HOTKV_ALLOCATOR MATCHES "^(mimalloc|jemalloc)$")
  find_library(HOTKV_ALLOCATOR_LIBRARY
    NAMES lib${HOTKV_ALLOCATOR}.a ${HOTKV_ALLOCATOR}
    HINTS "${HOTKV_ALLOCATOR_DIR}/lib" "${HOTKV_ALLOCATOR_DIR}")
  if(NOT HOTKV_ALLOCATOR_LIBRARY)
    message(FATAL_ERROR "Allocator ${HOTKV_ALLOCATOR} not found: run scripts/setup, or pass "
                        "-DHOTKV_ALLOCATOR_DIR=<prefix> or -DHOTKV_ALLOCATOR=system")
  endif()
  message(STATUS "Allocator: ${HOTKV_ALLOCATOR_LIBRARY}")
  if(HOTKV_ALLOCATOR_LIBRARY MATCHES "\\.a$")
    target_link_libraries(hotkv_allocator INTERFACE
      -Wl,--whole-archive "${HOTKV_ALLOCATOR_LIBRARY}" -Wl,--no-whole-archive
      ${CMAKE_DL_LIBS} m Threads::Threads)
  else()
    target_link_libraries(hotkv_allocator INTERFACE
      -Wl,--push-state,--no-as-needed "${HOTKV_ALLOCATOR_LIBRARY}" -Wl,--pop-state)
  endif()
  target_compile_definitions(hotkv_allocator INTERFACE HOTKV_ALLOCATOR_NAME="${HOTKV_ALLOCATOR}")
else()
  message(FATAL_ERROR "HOTKV_ALLOCATOR=${HOTKV_ALLOCATOR}: must be mimalloc, jemalloc or system")
endif()
if(HOTKV_ALLOCATOR STREQUAL "system")
  target_compile_definitions(hotkv_allocator INTERFACE HOTKV_ALLOCATOR_NAME="libc")
endif()
