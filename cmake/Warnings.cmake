# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later

# outlay_target(TARGET): what all our own targets share.
function(outlay_target target)
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
        -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused -Wdouble-promotion -Wformat=2
        -Wimplicit-fallthrough
        -Wno-missing-field-initializers) # our structs have defaults for what isn't named
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 sees overlaps and offsets in std::string's inlined copies that can't be (its bug 105651). The
        # sanitizers and clang's warnings look for the real ones.
        target_compile_options(${target} PRIVATE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
            -Wno-stringop-overread)
    endif()
    if(OUTLAY_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# outlay_qt_target(TARGET): the stricter use of Qt that our Qt targets keep to. They compute little: while the program
# is worked on they are optimised for a quick build.
function(outlay_qt_target target)
    outlay_target(${target})
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    target_compile_definitions(${target} PRIVATE
        QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING
        QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
        QT_USE_QSTRINGBUILDER QT_NO_KEYWORDS)
endfunction()
