# gelint_embed(TARGET DIRECTORIES dir… [FILES file…] [PREFIX_MAP from=to…])
# Links every file of the directories, and the single files, into TARGET (see src/support/embed.h). The assembler includes the bytes, so a
# large table costs no compile time.
function(gelint_embed target)
  cmake_parse_arguments(E "" "" "DIRECTORIES;FILES;PREFIX_MAP" ${ARGN})
  set(files "")
  foreach(dir ${E_DIRECTORIES})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${dir}/*)
    list(APPEND files ${found})
  endforeach()
  list(TRANSFORM E_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(APPEND files ${E_FILES})
  set(pairs "")
  foreach(file ${files})
    file(RELATIVE_PATH rel ${CMAKE_CURRENT_SOURCE_DIR} ${file})
    foreach(map ${E_PREFIX_MAP})
      string(REGEX MATCH "^([^=]+)=(.*)$" _ ${map})
      string(REGEX REPLACE "^${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" rel ${rel})
    endforeach()
    list(APPEND pairs "${rel}|${file}")
  endforeach()
  list(SORT pairs COMPARE STRING)
  set(asm ".section .rodata\n")
  set(decl "")
  set(rows "")
  set(n 0)
  foreach(pair ${pairs})
    string(REGEX MATCH "^([^|]+)\\|(.*)$" _ ${pair})
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    string(APPEND asm ".global gelint_embed_${n}\ngelint_embed_${n}:\n.incbin \"${path}\"\n"
           ".global gelint_embed_end_${n}\ngelint_embed_end_${n}:\n.byte 0\n")
    string(APPEND decl "extern \"C\" const char gelint_embed_${n}[], gelint_embed_end_${n}[];\n")
    string(APPEND rows "  {\"${name}\", {gelint_embed_${n}, size_t(gelint_embed_end_${n} - gelint_embed_${n})}},\n")
    math(EXPR n "${n}+1")
  endforeach()
  string(APPEND asm ".section .note.GNU-stack,\"\",@progbits\n")
  set(gen ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(GENERATE OUTPUT ${gen}/embedded.S CONTENT "${asm}")
  file(GENERATE OUTPUT ${gen}/embedded.cc CONTENT
"#include \"support/embed.h\"
${decl}
namespace gelint {
// Dynamic initialisation is avoided for speed but allowed: sizes are link-time differences.
extern const EmbeddedFile k_embedded_files[];
extern const size_t k_embedded_files_count;
const EmbeddedFile k_embedded_files[] = {
${rows}  {\"\", {}}};
const size_t k_embedded_files_count = ${n};
} // namespace gelint
")
  set_source_files_properties(${gen}/embedded.S PROPERTIES OBJECT_DEPENDS "${files}" LANGUAGE ASM)
  target_sources(${target} PRIVATE ${gen}/embedded.S ${gen}/embedded.cc)
endfunction()
