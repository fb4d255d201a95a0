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
    columns: {
      type: 'string',
      value: 'FIELD=COLUMN,...',
      description: 'which column holds what, from 1, such as employee_num=1,name=3; 0: none. Else by the header',
    },
    ...findsBox,
    json,
  },
  more: [
    'The header may be of any HR system, in English or Chinese; columns that mean nothing here are not read. Fields: ext_id, name, p_ext_id of departments; employee_num, name, department, mobile, title, from, to, ext_id, department_ext_id of employees.',
    'A department is a name, a path such as Plant/Assembly, or an ID; one that does not exist is made. Without an ext_id the number is the ID, and a known number is that person.',
    'Every wrong row is reported with its line. A dry run names the encoding that a CSV file is taken for, with some of its names. At most 10 MiB and 100,000 rows.',
  ],
  examples: ['gatehouse import employees people.csv --dry-run'],
  load: async () => (await import('./import.ts')).importRows,
};
