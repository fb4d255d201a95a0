import { csvEncodings } from '../platform/csv-encodings.ts';
import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** `import`: people and departments from a file. */
export const importCommand: Command = {
  name: 'import',
  does: 'load departments or employees from a CSV or XLSX file, completely or not at all',
  arguments: [
    { name: 'WHAT', required: true, choices: ['departments', 'employees'] },
    { name: 'FILE', required: true },
  ],
  options: {
    'dry-run': { type: 'boolean', description: 'say what would change, change nothing' },
    encoding: {
      type: 'string',
      choices: csvEncodings,
      description:
        'of a CSV file: needed to import one that is neither UTF-8 nor UTF-16 and whose header does not tell',
    },
    sheet: { type: 'string', value: 'NAME', description: 'of a workbook; default: the first visible one' },
    ...findsBox,
    json,
  },
  more: [
    'The first line names the columns: ext_id, name, p_ext_id (部门编号, 部门名称, 上级部门编号) of departments; ext_id, name, mobile, employee_num, department_ext_id, title, from, to (人员编号, 姓名, 手机号, 工号, 部门编号, 职务, 入职日期, 最后工作日) of employees.',
    'Every wrong row is reported with its line. A dry run names the encoding that a CSV file is taken for, with some of its names. At most 10 MiB and 100,000 rows.',
  ],
  examples: ['gatehouse import employees people.csv --dry-run'],
  load: async () => (await import('./import.ts')).importRows,
};
