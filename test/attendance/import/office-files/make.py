#!/usr/bin/env python3
"""Makes the files beside it, with the programs that offices use: openpyxl (python3-openpyxl) and
LibreOffice (libreoffice-calc). Run it in its folder: python3 make.py"""

import subprocess
from datetime import date, time, timedelta

from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

PEOPLE = ['人员编号', '姓名', '部门编号']


def sheets():
    """The first sheet hidden, the second one visible, a third one; hidden rows and columns in the second."""
    book = Workbook()
    hidden = book.active
    hidden.title = 'old'
    hidden.append(PEOPLE)
    hidden.append(['x1', 'Nobody', 'd1'])
    hidden.sheet_state = 'hidden'
    people = book.create_sheet('people')
    people.append([*PEOPLE, '手机号', '工号', '职务'])
    for number in range(1, 8):
        people.append([f'e{number}', f'Person {number}', 'd1', f'1380000000{number}', f'00{number}', 'Fitter'])
    for row in (3, 5, 6):
        people.row_dimensions[row].hidden = True
    people.column_dimensions['B'].hidden = True
    people.column_dimensions.group('D', 'E', hidden=True)
    people.column_dimensions.group('H', 'J', hidden=True)
    more = book.create_sheet('夜班 & "more"')
    more.append(PEOPLE)
    more.append(['m1', 'Wu Ying', 'd1'])
    book.active = 1
    book.save('sheets.xlsx')


def times(name, epoch=None):
    """Shifts whose times are cells of times, in each of the two date systems."""
    book = Workbook()
    if epoch:
        book.epoch = epoch
    sheet = book.active
    sheet.append(['代码', '名称', '上班时间', '下班时间', '生效日期'])
    sheet.append(['day', 'Day', time(9, 0), time(18, 10), date(2026, 11, 1)])
    sheet.append(['eve', 'Evening', time(15, 0), timedelta(hours=24), date(2026, 11, 1)])
    sheet.append(['night', 'Night', time(22, 0), timedelta(hours=30, minutes=30), date(2026, 11, 1)])
    for row in sheet.iter_rows(min_row=2, min_col=3, max_col=4):
        for cell in row:
            cell.number_format = '[h]:mm' if isinstance(cell.value, timedelta) else 'h:mm'
    book.save(name)


def roster(name, head):
    """A roster as Chinese offices have it: title, days, weekdays, blanks, a row of signatures."""
    book = Workbook()
    sheet = book.active
    sheet.append(['2026年12月份排班表'])
    sheet.merge_cells('A1:H1')
    for row in head:
        sheet.append(row)
    sheet.append(['001', '李梅', 'day', 'night', '休', '', ' ', '\u3000'])
    sheet.append([' ', '\u3000', '', '', ' '])
    sheet.append(['002', '王伟', '', '', 'day'])
    book.save(name)


# By encoding: the number that LibreOffice has for it (rtl/textenc.h), and names.
ENCODINGS = {
    'windows-1253': (35, ['Γεώργιος Παπαδόπουλος', 'Μαρία Νικολάου', 'ΕΛΕΝΗ ΔΗΜΗΤΡΙΟΥ', 'Κώστας Ξένος']),
    'koi8-r': (74, ['Иванов Иван', 'Щербаков Эдуард', 'Фёдорова Анна', 'ПЕТРОВА МАРИЯ']),
    'koi8-u': (88, ['Шевченко Тарас', 'Ївга Лісова', 'Ґалаґан Євген']),
    'ibm866': (30, ['Иванов Иван', 'Щербаков Эдуард', 'Фёдорова Анна', 'ПЕТРОВА МАРИЯ']),
    'windows-1254': (36, ['Ayşe Yılmaz', 'İbrahim Çağlar', 'Gökçe Öztürk']),
    'windows-1255': (37, ['דוד כהן', 'שרה לוי', 'אברהם פרץ', 'מרים שמש']),
    'windows-1256': (38, ['محمد أحمد', 'فاطمة الزهراء', 'خالد العتيبي']),
    'windows-1257': (39, ['Jānis Bērziņš', 'Rūta Žukauskaitė', 'Ģirts Ķēniņš']),
    'windows-1258': (40, ['Nguyễn Văn Đức', 'Trần Thị Hương', 'Phạm Quốc Việt']),
    'windows-874': (32, ['สมชาย ใจดี', 'มาลี ศรีสุข', 'วิชัย แก้วมณี']),
}


def encodings():
    """Lists of people as CSV in code pages."""
    for name, (number, people) in ENCODINGS.items():
        book = Workbook()
        book.active.append(['ext_id', 'name', 'department_ext_id'])
        for at, person in enumerate(people):
            book.active.append([f'e{at}', person, 'd1'])
        book.save(f'{name}.xlsx')
        subprocess.run(
            ['soffice', '--headless', '--convert-to', f'csv:Text - txt - csv (StarCalc):44,34,{number}', f'{name}.xlsx'],
            check=True,
        )
        subprocess.run(['rm', f'{name}.xlsx'], check=True)


DAYS = [1, 2, 3, 4, 5, 6]
WEEKDAYS = ['二', '三', '四', '五', '六', '日']

sheets()
times('times.xlsx')
times('times-1904.xlsx', CALENDAR_MAC_1904)
roster('roster.xlsx', [['工 号', '姓 名', *DAYS], ['星期', '', *WEEKDAYS]])
roster('roster-weekdays-above.xlsx', [['', '', *WEEKDAYS], ['工号', '姓名', *[f'{day}日' for day in DAYS]]])
roster('roster-two-rows.xlsx', [['工号', '姓名', '日期', '', '', '', '', ''], ['', '', *DAYS], ['', '', *WEEKDAYS]])
subprocess.run(['soffice', '--headless', '--convert-to', 'ods', 'roster.xlsx'], check=True)
subprocess.run(
    ['soffice', '--headless', '--convert-to', 'xlsx:Calc MS Excel 2007 XML', '--outdir', 'again', 'sheets.xlsx'], check=True
)
subprocess.run(['mv', 'again/sheets.xlsx', 'sheets-libreoffice.xlsx'], check=True)
subprocess.run(['rmdir', 'again'], check=True)
encodings()
