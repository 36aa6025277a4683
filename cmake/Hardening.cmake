# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What the compiler and the linker can do against a program that is led astray, and what makes the same commit the same
# bytes wherever it is built. In all builds but those of sanitizers: what is packaged is what was tested.
if(CMAKE_BUILD_TYPE MATCHES "Rel")
    add_compile_options(-fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=2)
    add_link_options(-Wl,-z,relro -Wl,-z,now)
endif()
# A program is linked with what it uses, whatever the compiler's own habit.
add_link_options(-Wl,--as-needed)
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
