import { postFile, query } from '../../api.ts';
import { language } from '../../words/index.ts';
import { ImportForm } from './import-form.tsx';
import { said } from './import-words.ts';

const employeeFields = [
  ...['employee_num', 'name', 'department', 'title', 'mobile', 'from', 'to', 'department_since'],
  ...['ext_id', 'department_ext_id'],
];
const departmentFields = ['ext_id', 'name', 'p_ext_id', 'parent_since'];

/** Imports people or departments from a CSV or XLSX file. */
export function Import() {
  const text = said.value;
  return (
    <ImportForm
      title={text.importTitle}
      back={{ href: '/people', text: text.back }}
      lists={[
        { name: 'employees', title: text.employees, columns: text.columns.employees, fields: employeeFields },
        {
          name: 'departments',
          title: text.departmentsList,
          columns: text.columns.departments,
          fields: departmentFields,
        },
      ]}
      template={(what, format) =>
        `/admin/v1/people/import/template.${format}${query({ what, language: language.value })}`
      }
      send={(what, dryRun, file, chosen) => postFile('/people/import', { what, dry_run: dryRun, ...chosen }, file)}
    />
  );
}
