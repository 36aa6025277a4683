# SPDX-FileCopyrightText: 2026 The Outlay authors
# SPDX-License-Identifier: GPL-3.0-or-later

# outlay_precompile(TARGET SET...): parses the headers of the sets once for all files of the target. Every file
# includes what it uses all the same: the checkers build without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
set(OUTLAY_HEADERS_std
    <algorithm> <array> <charconv> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span>
    <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>)
set(OUTLAY_HEADERS_core
    "${PROJECT_SOURCE_DIR}/core/base/json.h"
    "${PROJECT_SOURCE_DIR}/core/base/quantity.h"
    "${PROJECT_SOURCE_DIR}/core/base/result.h")
set(OUTLAY_HEADERS_report
    "${PROJECT_SOURCE_DIR}/core/experiment/presets.h"
    "${PROJECT_SOURCE_DIR}/pricing/report/make_report.h")
set(OUTLAY_HEADERS_view <QLocale> <QString> <QStringList>)
set(OUTLAY_HEADERS_window
    <QAbstractTableModel> <QApplication> <QBoxLayout> <QComboBox> <QEvent> <QFileInfo> <QHeaderView> <QLabel>
    <QLineEdit> <QLocale> <QMainWindow> <QMenu> <QPainter> <QPushButton> <QScrollArea> <QString> <QTableView>
    <QToolButton> <QWidget>)
set(OUTLAY_HEADERS_test <QFile> <QProcess> <QTemporaryDir> <QTest>)
set(OUTLAY_HEADERS_torch "${PROJECT_SOURCE_DIR}/core/probe/worker/network/torch.h")

function(outlay_precompile target)
    set(headers "")
    foreach(set IN LISTS ARGN)
        list(APPEND headers ${OUTLAY_HEADERS_${set}})
    endforeach()
    target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
