import { sentences } from './sentences.ts';

/** Errors and warnings of a file with a list of people, departments or plans. */
export const listErrors = sentences({
  // The file
  old_workbook: {
    en: 'an old workbook (XLS), or one with a password: save it as XLSX without one',
    zh: '旧格式（XLS）或设有密码的工作簿：请另存为不带密码的 XLSX',
  },
  open_document: {
    en: 'an OpenDocument file (ODS): save it as XLSX, or as CSV',
    zh: 'OpenDocument 文件（ODS）：请另存为 XLSX 或 CSV',
  },
  pdf: {
    en: 'a PDF: save the list as XLSX or CSV in the program that made it',
    zh: 'PDF 文件：请在原程序中另存为 XLSX 或 CSV',
  },
  text_document: {
    en: 'a text document (RTF): save the list as XLSX or CSV',
    zh: '文字文档（RTF）：请另存为 XLSX 或 CSV',
  },
  packed_file: { en: 'a compressed file: extract it first', zh: '压缩文件：请先解压' },
  picture: { en: 'a picture: save the list as XLSX or CSV', zh: '图片：请另存为 XLSX 或 CSV' },
  web_page: {
    en: 'a web page with the extension of a workbook: open it and save it as XLSX',
    zh: '文件其实是网页：请打开后另存为 XLSX',
  },
  xml: {
    en: 'XML, not a workbook: open it in the program that made it and save it as XLSX',
    zh: '文件是 XML 而不是工作簿：请在原程序中打开后另存为 XLSX',
  },
  utf_32: {
    en: 'text in UTF-32: save it as "CSV UTF-8", or as XLSX',
    zh: 'UTF-32 编码的文本：请另存为“CSV UTF-8”或 XLSX',
  },
  nul_characters: {
    en: 'the file contains NUL characters: save it as "CSV UTF-8", or as XLSX',
    zh: '文件含有 NUL 字符，不是文本：请另存为“CSV UTF-8”或 XLSX',
  },
  encoding_is_guess: {
    en: ({ encoding }: { encoding: string }) =>
      `the encoding ${encoding} is a guess: check the names in a dry run, and choose the encoding`,
    zh: ({ encoding }) => `编码 ${encoding} 只是推测：请在预览中核对姓名，并选定编码`,
  },
  unpacks_too_large: {
    en: ({ mib }: { mib: number }) => `the workbook unpacks to more than ${mib} MiB: save the list as CSV`,
    zh: ({ mib }) => `工作簿解压后超过 ${mib} MiB：请另存为 CSV`,
  },
  workbook_damaged: {
    en: 'the workbook is damaged or has a password: save it again as XLSX, or as CSV',
    zh: '工作簿已损坏或设有密码：请另存为 XLSX 或 CSV',
  },
  needs_too_much: {
    en: 'the file needs too much memory or time: split it, or save it as CSV',
    zh: '读取文件占用的内存或时间过多：请拆分，或另存为 CSV',
  },
  no_such_sheet: {
    en: 'the workbook has no such sheet: choose one of its visible sheets',
    zh: '工作簿中没有此工作表：请选择一个可见的工作表',
  },
  reader_failed: {
    en: 'the reader of workbooks failed: try again, or save the list as CSV',
    zh: '无法读取工作簿：请重试，或将列表另存为 CSV',
  },
  hidden: {
    en: ({ what }: { what: 'rows' | 'columns' }) =>
      `these ${what} are hidden in the sheet, and are imported: show and check them, or delete them`,
    zh: ({ what }) => `这些${what === 'rows' ? '行' : '列'}在工作表中已隐藏，但仍会导入：请显示并核对，或删除`,
  },
  file_is_empty: {
    en: 'the file is empty: the first line names the columns',
    zh: '文件是空的：首行应为列名',
  },
  too_many_rows: {
    en: ({ max }: { max: number }) => `more than ${max} rows: split the file`,
    zh: ({ max }) => `超过 ${max} 行，请拆分文件`,
  },
  too_many_columns: {
    en: ({ max }: { max: number }) => `more than ${max} columns: remove those that the template does not have`,
    zh: ({ max }) => `超过 ${max} 列：请删除模板以外的列`,
  },
  quote_not_closed: { en: 'unclosed quote: add the closing "', zh: '引号没有闭合' },
  behind_quote: { en: 'text after the closing " of a cell', zh: '引号闭合后还有其他内容' },
  // Its columns
  unknown_column: {
    en: ({ columns }: { columns: string }) => `unknown column: the columns are ${columns}`,
    zh: ({ columns }) => `无法识别的列，可用的列：${columns}`,
  },
  column_missing: {
    en: 'this column is missing: add it, or begin with the template',
    zh: '缺少此列：请补上，或使用模板',
  },
  no_column: {
    en: 'no column matched: select one, or add it to the file',
    zh: '未找到对应的列：请选择一列，或在文件中补上',
  },
  column_not_read: { en: 'this column is not imported', zh: '此列不导入' },
  column_twice: {
    en: ({ column }: { column: string }) => `duplicate column for ${column}: keep one`,
    zh: ({ column }) => `${column} 有两列：请保留其中一列`,
  },
  day_without_month: {
    en: 'a day without a month: choose the month of the file',
    zh: '列名只有日：请选定文件所属月份',
  },
  no_such_day: { en: 'no such day in this month', zh: '该月没有这一天' },
  other_month: {
    en: ({ title, chosen }: { title: string; chosen: string }) => `the title says ${title}, but ${chosen} was chosen`,
    zh: ({ title, chosen }) => `标题中的月份为 ${title}，而选定的是 ${chosen}`,
  },
  numbers_lose_zeros: {
    en: ({ count }: { count: number }) =>
      `${count} cells of this column are numbers, which have no leading zeros: if yours have, format the column as text and write them again`,
    zh: ({ count }) => `此列有 ${count} 格是数字，数字不保留前导 0：如编号以 0 开头，请将此列设为文本格式后重新填写`,
  },
  // Its rows
  too_many_cells: {
    en: ({ cells, header }: { cells: number; header: number }) =>
      `${cells} cells, but the header has ${header}: is a comma missing, or a quote?`,
    zh: ({ cells, header }) => `有 ${cells} 格，而表头有 ${header} 格：是否缺少逗号或引号？`,
  },
  short_rows: {
    en: ({ count }: { count: number }) =>
      `${count} rows have fewer cells than the header: those missing at the end are taken as empty`,
    zh: ({ count }) => `${count} 行的格数少于表头：末尾缺少的格按空白处理`,
  },
  row_twice: {
    en: ({ line }: { line: number }) => `duplicate of line ${line}: keep one`,
    zh: ({ line }) => `与第 ${line} 行重复：请保留其中一行`,
  },
  // A cell
  cell_is_empty: { en: 'is empty: fill it in', zh: '不能为空：请填写' },
  formula_failed: {
    en: 'formula without a result: enter the value itself',
    zh: '公式没有结果：请直接填写数值',
  },
  turns_direction: {
    en: 'contains a text direction control character, which disguises the name: delete the character',
    zh: '含有改变书写方向的控制字符，会显示成别的名称：请删除该字符',
  },
  too_many_characters: {
    en: ({ max }: { max: number }) => `at most ${max} characters: shorten it`,
    zh: ({ max }) => `最多 ${max} 个字符：请缩短`,
  },
  is_cut: {
    en: ({ count, max }: { count: number; max: number }) =>
      `${count === 1 ? 'one cell has' : `${count} cells have`} more than ${max} characters, and ${count === 1 ? 'is' : 'are'} cut there`,
    zh: ({ count, max }) => `${count} 格超过 ${max} 个字符，将截取前 ${max} 个`,
  },
  no_date: { en: 'not a date: use 2026-11-20', zh: '不是日期：请写成 2026-11-20' },
  no_minutes: {
    en: 'not a number of minutes: use digits, such as 5',
    zh: '不是分钟数：请填写数字，例如 5',
  },
  no_time: { en: 'not a time: use 09:00', zh: '不是时间：请写成 09:00' },
  number_masked: {
    en: 'masked number: enter the full number, or leave blank',
    zh: '号码含 *：请填写完整号码，或留空',
  },
  strange_character: {
    en: ({ character }: { character: string }) =>
      `contains the unexpected character ${character}: choose another encoding, or correct the cell`,
    zh: ({ character }) => `含有无法识别的字符 ${character}：请选择其他编码，或改正此格`,
  },
  too_many_digits: {
    en: 'more than 15 digits, of which sheets keep 15: format the column as text and enter it again',
    zh: '超过 15 位的数字，表格只保留 15 位：请将此列设为文本格式后重新填写',
  },
  made_otherwise: {
    en: 'converted by the sheet to a date, a time or TRUE: format the column as text and enter it again',
    zh: '表格已将此内容变为日期、时间或 TRUE：请将此列设为文本格式后重新填写',
  },
  // People
  zeros_missing: {
    en: ({ before }: { before: string }) => `the current number is ${before}: leading zeros are missing in the file`,
    zh: ({ before }) => `现有工号为 ${before}：文件中缺少前导 0`,
  },
  several_have_number: {
    en: 'number used by several employees: enter the ID',
    zh: '多人使用此工号：请填写人员编号',
  },
  number_is_an_id: {
    en: ({ who, number }: { who: string; number: string }) =>
      `is the ID of ${who}, whose number is ${number}: add a column with the IDs`,
    zh: ({ who, number }) => `是 ${who}（工号 ${number}）的人员编号：请增加人员编号列`,
  },
  several_departments: {
    en: ({ paths }: { paths: string }) => `several departments have this name: enter the path, such as ${paths}`,
    zh: ({ paths }) => `有多个同名部门：请填写路径，如 ${paths}`,
  },
  number_and_id: {
    en: ({ byNumber, byId, meant }: { byNumber: string; byId: string; meant: string }) =>
      `number of ${byNumber} and ID of ${byId}: read as ${meant} by the header`,
    zh: ({ byNumber, byId, meant }) => `既是 ${byNumber} 的工号，又是 ${byId} 的人员编号：按表头视为 ${meant}`,
  },
  other_name: {
    en: ({ name }: { name: string }) => `the gateway has the name ${name}: check the number`,
    zh: ({ name }) => `系统中此人姓名为 ${name}：请核对编号`,
  },
  // Rosters
  nobody_named: { en: 'enter a person or a department', zh: '请填写人员或部门' },
  both_named: {
    en: 'enter either a person or a department',
    zh: '一行只能填人员或部门之一：请清空另一格',
  },
  date_or_from: {
    en: 'enter either a date or a start date',
    zh: '一行填一个日期，或填开始日期：请填写其中一格',
  },
  one_shift_a_date: {
    en: 'one shift per date: delete the others',
    zh: '一个日期只能有一个班次：请删除其余',
  },
  cycle_too_long: {
    en: ({ max }: { max: number }) => `at most ${max} days in a cycle: shorten it`,
    zh: ({ max }) => `循环最多 ${max} 天：请缩短`,
  },
  days_of_one_shift: {
    en: 'weekdays apply only to a single shift from a date: leave blank',
    zh: '只有从某天起上一个班次时才填工作日：请留空',
  },
  no_weekdays: {
    en: 'not weekdays: use 1-5 or 1,3,5 (Monday is 1)',
    zh: '不是星期：请写成 1-5 或 1,3,5（周一为 1）',
  },
  end_without_from: {
    en: 'an end needs a start date: leave blank',
    zh: '只有填了开始日期才有结束日期：请留空',
  },
  ends_early: { en: 'before the start date: correct one of the two', zh: '结束日期早于开始日期：请修改其中一个' },
  // Shifts
  bad_code: {
    en: 'codes have letters, digits, ".", "_" and "-" only: choose another',
    zh: '代码只能用文字、数字和 . _ -：请换一个',
  },
  no_such_kind: {
    en: 'unknown type: use fixed, flexible or free',
    zh: '没有这个类型：请填写固定、弹性或自由',
  },
  start_and_end: {
    en: 'enter both start and end',
    zh: '上班和下班时间都要填写',
  },
  no_break: {
    en: 'not a break: use 12:00-13:00, several separated by commas',
    zh: '不是休息时间：请写成 12:00-13:00，多段用逗号分开',
  },
  too_many_breaks: {
    en: ({ max }: { max: number }) => `at most ${max} breaks: leave some out`,
    zh: ({ max }) => `最多 ${max} 段休息：请减少`,
  },
  too_many_minutes: {
    en: ({ max }: { max: number }) => `at most ${max} minutes: write fewer`,
    zh: ({ max }) => `最多 ${max} 分钟：请减少`,
  },
});
