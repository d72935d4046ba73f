# Toolchain of the wasm preset: Emscripten's own file, plus the node that runs what we build.
#
# emcmake is not used: it sets an emulator flag that node 20 rejects. EM_CONFIG is remembered here
# for every compiler call, so that an IDE or a bare `ninja` works without the preset's environment.
set(HOTKV_EMSCRIPTEN_DIR "/usr/share/emscripten" CACHE PATH "Folder of Emscripten")
if(NOT EXISTS "${HOTKV_EMSCRIPTEN_DIR}/cmake/Modules/Platform/Emscripten.cmake")
  message(FATAL_ERROR "Emscripten not found in ${HOTKV_EMSCRIPTEN_DIR}: run scripts/setup, or pass "
                      "-DHOTKV_EMSCRIPTEN_DIR=<folder>")
endif()
if(NOT DEFINED ENV{EM_CONFIG})
  set(ENV{EM_CONFIG} "${CMAKE_CURRENT_LIST_DIR}/../em.cfg")
endif()
find_program(HOTKV_NODE node REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR "${HOTKV_NODE}")
include("${HOTKV_EMSCRIPTEN_DIR}/cmake/Modules/Platform/Emscripten.cmake")
