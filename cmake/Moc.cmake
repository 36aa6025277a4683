# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later

# outlay_moc(TARGET): finds the classes with Q_OBJECT in the target's files. Our classes say all that moc needs to
# know, so it isn't led into the headers that they include: 0.01 s a file instead of 0.7, of LibTorch's 4.
set(OUTLAY_MOC "${PROJECT_BINARY_DIR}/moc-alone")
get_target_property(OUTLAY_QT_MOC Qt6::moc IMPORTED_LOCATION)
configure_file("${CMAKE_CURRENT_LIST_DIR}/moc-alone.in" "${OUTLAY_MOC}" @ONLY USE_SOURCE_PERMISSIONS)

function(outlay_moc target)
    set_target_properties(${target} PROPERTIES
        AUTOMOC ON
        AUTOMOC_EXECUTABLE "${OUTLAY_MOC}"
        AUTOMOC_COMPILER_PREDEFINES OFF)
endfunction()
