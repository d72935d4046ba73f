# The programs that run on a real machine.

# native/ without main (the server's) and the programs that have a folder of their own.
hotkv_sources(native_sources native "native/(main\\.cc|cli/|tools/)")
hotkv_add_layer(hotkv_native ${native_sources})
target_link_libraries(hotkv_native PUBLIC hotkv_core hotkv_asio hotkv_json PRIVATE hotkv_flags)

# hotkv_program(<name> <libraries> SOURCES <files>): left out while it has no sources.
function(hotkv_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  if(NOT arg_SOURCES)
    message(STATUS "${name}: no sources yet")
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE hotkv_allocator ${arg_LIBRARIES} hotkv_flags)
endfunction()

file(GLOB server_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/native/main.cc")
hotkv_program(hotkv-server SOURCES ${server_sources} LIBRARIES hotkv_native)
hotkv_sources(cli_sources native/cli)
hotkv_program(hotkv-cli SOURCES ${cli_sources} LIBRARIES hotkv_core hotkv_asio hotkv_edit)
hotkv_sources(sim_tool_sources native/tools/sim)
hotkv_program(hotkv-sim SOURCES ${sim_tool_sources} LIBRARIES hotkv_sim hotkv_json)
hotkv_sources(docgen_sources native/tools/docgen)
hotkv_program(hotkv-docgen SOURCES ${docgen_sources} LIBRARIES hotkv_core hotkv_json)
