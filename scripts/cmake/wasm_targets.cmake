# What the wasm preset builds: the page's module, and the same core as programs for node.

# The page's module runs under a content security policy without 'unsafe-eval': exported C functions
# and EM_JS only, no embind. DYNAMIC_EXECUTION=0: the linker refuses whatever evaluates text.
set(HOTKV_PAGE_LINK_OPTIONS
  --no-entry -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web -sFILESYSTEM=0
  -sALLOW_MEMORY_GROWTH=1 -sMALLOC=emmalloc -sDYNAMIC_EXECUTION=0
  -sEXPORTED_FUNCTIONS=_malloc,_free)
# Programs for node use the real file system, so that a scenario file is the same file as natively.
set(HOTKV_NODE_LINK_OPTIONS
  -sENVIRONMENT=node -sWASM_ASYNC_COMPILATION=0 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
  -sNODERAWFS=1)

file(GLOB web_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/web/bindings.cc"
     "${CMAKE_SOURCE_DIR}/web/session_json.cc")
if(web_sources)
  # The page and the programs for node link the same objects of the core, so what the parity tests
  # find out about one holds for the other.
  add_executable(hotkv_web ${web_sources})
  set_target_properties(hotkv_web PROPERTIES OUTPUT_NAME hotkv-core)
  target_link_libraries(hotkv_web PRIVATE hotkv_view hotkv_sim hotkv_core_flags)
  target_link_options(hotkv_web PRIVATE ${HOTKV_PAGE_LINK_OPTIONS})
else()
  message(STATUS "hotkv_web: no sources yet")
endif()

# hotkv-play.{js,wasm}: the same core with the canvas, and the canvas's fonts beside it.
hotkv_sources(platform_sources web/platform)
add_executable(hotkv_play ${web_sources} ${platform_sources}
               "${CMAKE_SOURCE_DIR}/web/play_bindings.cc")
set_target_properties(hotkv_play PROPERTIES OUTPUT_NAME hotkv-play)
target_link_libraries(hotkv_play PRIVATE hotkv_panels hotkv_sim hotkv_core_flags)
target_link_options(hotkv_play PRIVATE ${HOTKV_PAGE_LINK_OPTIONS}
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sEXPORTED_RUNTIME_METHODS=GL)
set(font_files inter.otf inter-semibold.otf jetbrains-mono.ttf)
list(TRANSFORM font_files PREPEND "${CMAKE_BINARY_DIR}/fonts/")
add_custom_command(OUTPUT ${font_files}
  COMMAND "${CMAKE_SOURCE_DIR}/site/fonts" "${CMAKE_BINARY_DIR}/fonts"
  DEPENDS "${CMAKE_SOURCE_DIR}/site/fonts" VERBATIM)
add_custom_target(hotkv_fonts DEPENDS ${font_files})
add_dependencies(hotkv_play hotkv_fonts)

hotkv_sources(sim_tool_sources native/tools/sim)
if(sim_tool_sources)
  add_executable(hotkv-sim ${sim_tool_sources})
  target_link_libraries(hotkv-sim PRIVATE hotkv_sim hotkv_json hotkv_core_flags)
  target_link_options(hotkv-sim PRIVATE ${HOTKV_NODE_LINK_OPTIONS})
endif()
