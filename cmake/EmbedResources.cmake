# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later

# outlay_embed_resources(TARGET FILE...): links files of resources/ into a target; they are read
# with outlay::core::resource("FILE"), and outlay::core::resourceSha256("FILE") is their hash. The assembler includes
# them, so their size costs no time.
function(outlay_embed_resources target)
    set(assembly "")
    set(declarations "")
    set(rows "")
    set(hashes "")
    set(paths "")
    set(index 0)
    foreach(name IN LISTS ARGN)
        set(path "${PROJECT_SOURCE_DIR}/resources/${name}")
        list(APPEND paths "${path}")
        string(APPEND assembly
            "__asm__(\".section .rodata\\n.balign 16\\n\"\n"
            "        \"OutlayResource${index}Begin:\\n.incbin \\\"${path}\\\"\\n\"\n"
            "        \"OutlayResource${index}End:\\n.byte 0\\n.previous\\n\"\n"
            "        \".globl OutlayResource${index}Begin\\n.globl OutlayResource${index}End\\n\");\n")
        string(APPEND declarations
            "extern \"C\" const char OutlayResource${index}Begin[];\n"
            "extern \"C\" const char OutlayResource${index}End[];\n")
        string(APPEND rows
            "    if (name == \"${name}\")\n"
            "        return {OutlayResource${index}Begin, static_cast<std::size_t>(\n"
            "            OutlayResource${index}End - OutlayResource${index}Begin)};\n")
        file(SHA256 "${path}" hash)
        string(APPEND hashes
            "    if (name == \"${name}\")\n"
            "        return \"${hash}\";\n")
        math(EXPR index "${index} + 1")
    endforeach()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_resources.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#include \"core/base/resources.h\"\n
${assembly}${declarations}
std::string_view outlay::core::resource(std::string_view name)
{
${rows}    return {};
}

std::string_view outlay::core::resourceSha256(std::string_view name)
{
${hashes}    return {};
}
")
    # Hashes are taken when the build is configured.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${paths})
    # In a unit with others it would depend on none of the files.
    set_source_files_properties("${source}" PROPERTIES
        OBJECT_DEPENDS "${paths}" SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE "${source}")
endfunction()
