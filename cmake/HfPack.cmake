# Packs hf_defaults/ at build time and links the block into gelint_hf (src/hf/pack.h).
file(GLOB hf_pack_inputs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/hf_defaults/tables/*.json
     ${CMAKE_CURRENT_SOURCE_DIR}/hf_defaults/overlay/*.yaml ${CMAKE_CURRENT_SOURCE_DIR}/hf_defaults/ports/*.json)
set(hf_pack_dir ${CMAKE_CURRENT_SOURCE_DIR}/hf_defaults)
add_executable(hf_pack tools/hf_pack.cc src/hf/pack_build.cc src/hf/pack_overlay.cc src/hf/releases.cc src/support/files.cc
               src/support/result.cc)
target_include_directories(hf_pack PRIVATE src)
target_link_libraries(hf_pack PRIVATE nlohmann_json::nlohmann_json yaml-cpp fmt::fmt PkgConfig::zstd)
set(hf_pack_file ${CMAKE_CURRENT_BINARY_DIR}/generated/hf.pack)
add_custom_command(OUTPUT ${hf_pack_file} COMMAND hf_pack ${hf_pack_dir} ${hf_pack_file}
                   DEPENDS hf_pack ${hf_pack_inputs} COMMENT "Packing the Hugging Face tables" VERBATIM)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/hf_pack.S CONTENT
".section .rodata
.balign 16
.global gelint_hf_pack
gelint_hf_pack:
.incbin \"${hf_pack_file}\"
.global gelint_hf_pack_end
gelint_hf_pack_end:
.byte 0
.section .note.GNU-stack,\"\",@progbits
")
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/generated/hf_pack.S PROPERTIES
                            OBJECT_DEPENDS ${hf_pack_file} LANGUAGE ASM)
target_sources(gelint_hf PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated/hf_pack.S)
