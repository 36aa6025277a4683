# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside the programs, and two Debian packages of it: the window with the command line, and the worker,
# which is useful alone on a machine with a GPU.

set(share "${CMAKE_INSTALL_DATAROOTDIR}")
set(desktop "${PROJECT_SOURCE_DIR}/packaging/desktop")

# outlay_paper(PROGRAM FILE ARGUMENT...): what a program prints, as a file of the build folder.
function(outlay_paper program file)
    add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/papers/${file}"
        COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 "$<TARGET_FILE:${program}>" ${ARGN}
            > "${PROJECT_BINARY_DIR}/papers/${file}"
        DEPENDS ${program} VERBATIM)
    set_property(GLOBAL APPEND PROPERTY OUTLAY_PAPERS "${PROJECT_BINARY_DIR}/papers/${file}")
endfunction()

# outlay_zipped(FROM FILE): compressed as Debian wants it, without a name or a time in it.
function(outlay_zipped from file)
    add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/papers/${file}"
        COMMAND gzip -9nc "${from}" > "${PROJECT_BINARY_DIR}/papers/${file}"
        DEPENDS "${from}" VERBATIM)
    set_property(GLOBAL APPEND PROPERTY OUTLAY_PAPERS "${PROJECT_BINARY_DIR}/papers/${file}")
endfunction()

file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/papers")

# outlay_bill(PACKAGE): what its program is made of, of the same name.
file(GLOB bill_inputs "${PROJECT_SOURCE_DIR}/resources/*.json")
list(APPEND bill_inputs "${PROJECT_SOURCE_DIR}/docs/licences.md"
    "${PROJECT_SOURCE_DIR}/cmake/BillOfMaterials.cmake" "${PROJECT_SOURCE_DIR}/cmake/SpdxText.cmake")
function(outlay_bill package)
    set(bill "${PROJECT_BINARY_DIR}/papers/${package}.spdx.json")
    add_custom_command(OUTPUT "${bill}"
        COMMAND ${CMAKE_COMMAND} -D "PROGRAM=$<TARGET_FILE:${package}>" -D PACKAGE=${package}
            -D VERSION=${PROJECT_VERSION} -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "OUT=${bill}"
            -P "${PROJECT_SOURCE_DIR}/cmake/BillOfMaterials.cmake"
        DEPENDS ${package} ${bill_inputs} VERBATIM)
    set_property(GLOBAL APPEND PROPERTY OUTLAY_PAPERS "${bill}")
endfunction()

# outlay_documents(COMPONENT PACKAGE): manual page, licence, changes and bill of materials of a package.
function(outlay_documents component package)
    set(papers "${PROJECT_BINARY_DIR}/papers")
    outlay_paper(${package} ${package}.1 --manual)
    outlay_zipped("${papers}/${package}.1" ${package}.1.gz)
    install(FILES "${papers}/${package}.1.gz" DESTINATION ${share}/man/man1 COMPONENT ${component})
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/debian/copyright"
        DESTINATION ${share}/doc/${package} COMPONENT ${component})
    install(FILES "${papers}/changelog.gz" DESTINATION ${share}/doc/${package} COMPONENT ${component})
    outlay_bill(${package})
    install(FILES "${papers}/${package}.spdx.json" DESTINATION ${share}/doc/${package} COMPONENT ${component})
endfunction()

outlay_zipped("${PROJECT_SOURCE_DIR}/packaging/debian/changelog" changelog.gz)

set(packages "")
if(OUTLAY_WITH_GUI)
    list(APPEND packages outlay)
    outlay_documents(outlay outlay)
    foreach(shell bash zsh fish)
        outlay_paper(outlay outlay.${shell} --completion ${shell})
    endforeach()
    set(papers "${PROJECT_BINARY_DIR}/papers")
    install(FILES "${papers}/outlay.bash" RENAME outlay
        DESTINATION ${share}/bash-completion/completions COMPONENT outlay)
    install(FILES "${papers}/outlay.zsh" RENAME _outlay
        DESTINATION ${share}/zsh/vendor-completions COMPONENT outlay)
    install(FILES "${papers}/outlay.fish"
        DESTINATION ${share}/fish/vendor_completions.d COMPONENT outlay)
    # For programs that tell their steps: PYTHONPATH names the folder.
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/outlay_steps.py"
        DESTINATION ${share}/outlay COMPONENT outlay)
    install(FILES "${desktop}/outlay.desktop" DESTINATION ${share}/applications COMPONENT outlay)
    install(FILES "${desktop}/outlay.metainfo.xml" RENAME app.outlay.outlay.metainfo.xml
        DESTINATION ${share}/metainfo COMPONENT outlay)
    install(FILES "${desktop}/outlay.xml" DESTINATION ${share}/mime/packages COMPONENT outlay)
    install(FILES "${desktop}/outlay.svg"
        DESTINATION ${share}/icons/hicolor/scalable/apps COMPONENT outlay)
    find_program(OUTLAY_RSVG rsvg-convert REQUIRED)
    foreach(size 16 24 32 48 64 128 256)
        add_custom_command(OUTPUT "${papers}/outlay-${size}.png"
            COMMAND ${OUTLAY_RSVG} -w ${size} -h ${size} "${desktop}/outlay.svg"
                -o "${papers}/outlay-${size}.png"
            DEPENDS "${desktop}/outlay.svg" VERBATIM)
        set_property(GLOBAL APPEND PROPERTY OUTLAY_PAPERS "${papers}/outlay-${size}.png")
        install(FILES "${papers}/outlay-${size}.png" RENAME outlay.png
            DESTINATION ${share}/icons/hicolor/${size}x${size}/apps COMPONENT outlay)
    endforeach()
endif()
if(OUTLAY_WITH_TORCH)
    list(APPEND packages probe)
    outlay_documents(probe outlay-probe)
endif()
get_property(papers GLOBAL PROPERTY OUTLAY_PAPERS)
add_custom_target(papers ALL DEPENDS ${papers})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME outlay)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL ${packages})
# Its own default is left out of the descriptions, which each package has of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_NAME} built using CMake")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Outlay authors <authors@outlay.app>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_DEBIAN_OUTLAY_PACKAGE_NAME outlay)
set(CPACK_DEBIAN_OUTLAY_PACKAGE_RECOMMENDS
    "outlay-probe (= ${PROJECT_VERSION}), fonts-inter, fonts-jetbrains-mono")
set(CPACK_COMPONENT_OUTLAY_DESCRIPTION
    "what a machine-learning model will cost, before you pay for it
Design a model with sliders or bring its config; a short run on your own
machine measures it, and panels show what training and serving cost, where,
how well they use what they run on, what they emit, and what to do next.

This package has the window and the command line. They work offline.")
set(CPACK_DEBIAN_PROBE_PACKAGE_NAME outlay-probe)
# Debian's reference BLAS is ten times slower.
set(CPACK_DEBIAN_PROBE_PACKAGE_DEPENDS
    "libopenblas0-pthread | libopenblas0-openmp | libopenblas0-serial | libmkl-rt")
set(CPACK_COMPONENT_PROBE_DESCRIPTION
    "worker of Outlay that measures the training and serving of a model
It runs a design with LibTorch for some seconds and says how long a step and
a request take and what memory they need.

This package is useful alone on a machine that is measured from elsewhere.")
include(CPack)
