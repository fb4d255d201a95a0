import type { ExpectedDifference } from './compare.ts';

/**
 * Fields that a box and its cloud must answer differently, by name and with the reason. Of these
 * the type is compared, and that both have them.
 */
export const expectedDifferences: readonly ExpectedDifference[] = [
  { api: '*', field: /^(body\.)?msg$/, name: 'msg', why: 'words for people; SPEC fixes the code alone' },
  {
    api: '*',
    field: /^body\.error_description$/,
    name: 'error_description',
    why: 'words for people; SPEC fixes the error alone',
  },
  {
    api: 'check-ins',
    field: /^(id|user_id|check_data\.dept_id)$/,
    name: 'id, user_id, check_data.dept_id',
    why: 'each numbers its own records; people are linked by ext_id (SPEC 2.15). A program that moves from one to the other begins with next_id 0',
  },
  {
    api: 'check-ins',
    field: /^check_data\.(device_name|cmd|dept_name|member_name|employee_num)$/,
    name: 'check_data.device_name, cmd, dept_name, member_name, employee_num',
    why: 'written at receipt, from the organization as it was then on each side',
  },
  {
    api: 'access records',
    field: /^(id|user_id|check_data(\..*)?)$/,
    name: 'id, user_id, check_data',
    why: 'each numbers its own records; SPEC 2.15 leaves check_data of access records open',
  },
  {
    api: 'speech',
    field: /^body\.data\.(mp3_address|url)$/,
    name: 'mp3_address, url',
    why: 'the address of whoever answers',
  },
  {
    api: 'files',
    field: /^body\.data\.(file_id|public_url|due_time)$/,
    name: 'file_id, public_url, due_time',
    why: 'each holds a file of its own',
  },
  {
    api: 'upgrades',
    field: /^body\.data\.(rows\[\]\.)?url$/,
    name: 'url',
    why: 'a box links to its own copy of the package',
  },
];

/** Of weather: a box serves the cloud's answer up to 30 minutes later, and says so in `Age`. */
export const weatherIsOld = (age: string | undefined): boolean => Number(age ?? 0) > 60;
