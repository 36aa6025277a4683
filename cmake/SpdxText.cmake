# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
# The text of an SPDX document, and what of tables in Markdown goes into it. In lists, what CMake would part or join is
# written otherwise: ";", "[" and "]" as \u escapes, which JSON reads as these.

# json_text(OUT TEXT): as a string of JSON, with its quotes.
function(json_text out text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\\\\u00" "\\u00" text "${text}") # of table_rows
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" " " text "${text}")
    string(REPLACE ";" "\\u003b" text "${text}")
    string(REPLACE "[" "\\u005b" text "${text}")
    string(REPLACE "]" "\\u005d" text "${text}")
    set(${out} "\"${text}\"" PARENT_SCOPE)
endfunction()

# table_rows(OUT FILE HEADING): the lines of the first table below a heading, without its first two.
function(table_rows out path heading)
    file(READ "${path}" text)
    string(FIND "${text}" "${heading}\n" at)
    string(SUBSTRING "${text}" ${at} -1 text)
    string(REPLACE ";" "\\u003b" text "${text}")
    string(REPLACE "[" "\\u005b" text "${text}")
    string(REPLACE "]" "\\u005d" text "${text}")
    string(FIND "${text}" "\n|" at)
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}\n\n" "\n\n" end)
    string(SUBSTRING "${text}" 0 ${end} text)
    string(STRIP "${text}" text)
    string(REPLACE "\n" ";" rows "${text}")
    list(REMOVE_AT rows 0 1)
    set(${out} "${rows}" PARENT_SCOPE)
endfunction()

# row_cells(ROW NAME...): each cell as a variable.
function(row_cells row)
    string(REGEX REPLACE "^\\| *(.*) *\\|$" "\\1" row "${row}")
    string(REPLACE " | " ";" cells "${row}")
    foreach(name cell IN ZIP_LISTS ARGN cells)
        string(STRIP "${cell}" cell)
        set(${name} "${cell}" PARENT_SCOPE)
    endforeach()
endfunction()

function(spdx_begin package version)
    set_property(GLOBAL PROPERTY SPDX_NAME "${package}-${version}")
    spdx_package("outlay" "${package}" "${version}" "GPL-3.0-or-later" APPLICATION "")
    spdx_relation(SPDXRef-DOCUMENT DESCRIBES SPDXRef-outlay)
endfunction()

# spdx_package(ID NAME VERSION LICENCE PURPOSE FURTHER): FURTHER is JSON that begins with ",".
function(spdx_package id name version licence purpose further)
    json_text(textName "${name}")
    json_text(textLicence "${licence}")
    set(textVersion "")
    if(NOT version STREQUAL "")
        json_text(textVersion "${version}")
        set(textVersion "\"versionInfo\": ${textVersion}, ")
    endif()
    string(CONCAT text
        ",\n  {\"SPDXID\": \"SPDXRef-${id}\", \"name\": ${textName}, ${textVersion}\"downloadLocation\": \"NOASSERTION\",\n"
        "   \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": ${textLicence},\n"
        "   \"copyrightText\": \"NOASSERTION\", \"primaryPackagePurpose\": \"${purpose}\"${further}}")
    set_property(GLOBAL APPEND_STRING PROPERTY SPDX_PACKAGES "${text}")
endfunction()

function(spdx_relation from type to)
    string(CONCAT text
        ",\n  {\"spdxElementId\": \"${from}\", \"relationshipType\": \"${type}\", "
        "\"relatedSpdxElement\": \"${to}\"}")
    set_property(GLOBAL APPEND_STRING PROPERTY SPDX_RELATIONS "${text}")
endfunction()

# spdx_part(PACKAGE VERSION LICENCE USE RELATION)
function(spdx_part package version licence use relation)
    string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "${package}")
    json_text(textUse "${use}")
    set(purpose LIBRARY)
    if(package MATCHES "^fonts-")
        set(purpose OTHER)
    endif()
    string(REPLACE "+" "%2B" purlName "${package}")
    string(REPLACE "+" "%2B" purlVersion "${version}")
    set(further ",\n   \"summary\": ${textUse}")
    if(NOT version STREQUAL "")
        string(APPEND further
            ",\n   \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", "
            "\"referenceLocator\": \"pkg:deb/debian/${purlName}@${purlVersion}\"}]")
    endif()
    spdx_package("${id}" "${package}" "${version}" "${licence}" ${purpose} "${further}")
    if(relation STREQUAL "OPTIONAL_DEPENDENCY_OF")
        spdx_relation("SPDXRef-${id}" ${relation} SPDXRef-outlay)
    else()
        spdx_relation(SPDXRef-outlay ${relation} "SPDXRef-${id}")
    endif()
endfunction()

# Names and days of the sources that a data file has.
function(sources_of out json)
    set(lines "")
    string(JSON count ERROR_VARIABLE isMissing LENGTH "${json}" sources)
    if(NOT isMissing)
        math(EXPR last "${count} - 1")
        string(JSON sources GET "${json}" sources)
        foreach(i RANGE ${last})
            string(JSON type TYPE "${sources}" ${i})
            if(type STREQUAL "OBJECT")
                string(JSON source GET "${sources}" ${i} name)
                string(JSON day ERROR_VARIABLE isMissing GET "${sources}" ${i} as_of)
                if(NOT isMissing AND NOT day STREQUAL "")
                    string(APPEND source " (${day})")
                endif()
            else()
                string(JSON source GET "${sources}" ${i})
            endif()
            string(APPEND lines "${source}\n")
        endforeach()
    else()
        string(JSON lines ERROR_VARIABLE isMissing GET "${json}" source)
    endif()
    if(isMissing)
        set(lines "")
    endif()
    string(STRIP "${lines}" lines)
    string(REPLACE "\n" " | " lines "${lines}")
    set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# spdx_data(PATH LICENCES): a data file, with the licences of its sources as texts of JSON.
function(spdx_data path licences)
    get_filename_component(dataFile "${path}" NAME)
    file(SHA256 "${path}" hash)
    file(READ "${path}" json)
    string(JSON asOf ERROR_VARIABLE isUndated GET "${json}" as_of)
    if(isUndated)
        set(asOf "")
    endif()
    sources_of(named "${json}")
    set(further ",\n   \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"${hash}\"}]")
    if(NOT named STREQUAL "")
        json_text(named "${named}")
        string(APPEND further ",\n   \"sourceInfo\": ${named}")
    endif()
    if(NOT licences STREQUAL "")
        string(REPLACE ";" ",\n     " texts "${licences}")
        string(APPEND further ",\n   \"attributionTexts\": [\n     ${texts}]")
    endif()
    spdx_package("data-${dataFile}" "${dataFile}" "${asOf}" "GPL-3.0-or-later" FILE "${further}")
    spdx_relation(SPDXRef-outlay CONTAINS "SPDXRef-data-${dataFile}")
endfunction()

function(spdx_end path day)
    get_property(name GLOBAL PROPERTY SPDX_NAME)
    get_property(packages GLOBAL PROPERTY SPDX_PACKAGES)
    get_property(relations GLOBAL PROPERTY SPDX_RELATIONS)
    string(SUBSTRING "${packages}" 1 -1 packages) # the comma before the first
    string(SUBSTRING "${relations}" 1 -1 relations)
    set(content "\"packages\": [${packages}],\n \"relationships\": [${relations}]")
    string(SHA256 digest "${content}")
    file(WRITE "${path}"
        "{\"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",\n"
        " \"name\": \"${name}\", \"documentNamespace\": \"https://outlay.app/spdx/${name}-${digest}\",\n"
        " \"creationInfo\": {\"created\": \"${day}\", \"creators\": [\"Organization: The Outlay authors\", "
        "\"Tool: Outlay's BillOfMaterials.cmake\"]},\n ${content}}\n")
endfunction()
