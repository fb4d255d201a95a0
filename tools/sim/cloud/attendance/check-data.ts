import type { CheckInType } from '../../../../src/platform/reports.ts';
import type { Employee } from './organization.ts';

const ofPerson = ['employee_num', 'dept_name', 'member_name', 'dept_id'];
const ofTerminal = ['device_name', 'employee_num', 'dept_name', 'cmd', 'member_name', 'dept_id'];
const ofPlace = [...ofPerson, 'lat', 'lgt', 'name', 'location', 'phone_model'];

/** SPEC 2.15, "check_data keys by type"; those that it leaves open have the keys of their kind. */
const keys: Readonly<Record<CheckInType, readonly string[]>> = {
  fa: ofTerminal,
  fp: ofTerminal,
  pass: ofTerminal,
  card: ofTerminal,
  app_scan: ofPerson,
  gps: ofPlace,
  wifi: [...ofPerson, 'name', 'mac_address', 'ssid', 'phone_model'],
  out_work: [...ofPlace, 'photo', 'comment'],
  reissue: ofPerson,
  flexible: ofPerson,
};

type Said = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

const personFields = ({ employeeNum, name, department }: Employee): Said => ({
  employee_num: employeeNum,
  member_name: name,
  dept_name: department.name,
  dept_id: department.id,
});

/** The person's keys come from the organization, the others as the terminal or phone sent them. */
export function checkData(type: CheckInType, person: Employee, said: Said): Record<string, string> {
  const all = { ...said, ...personFields(person) } as Said;
  return Object.fromEntries(keys[type].map(key => [key, text(all[key])]));
}

/**
 * Of an access record, which SPEC 2.15 leaves open: the terminal's keys, and the person's if known.
 */
export function accessData(person: Employee | undefined, said: Said): Record<string, string> {
  if (person) return checkData('fa', person, said);
  return { device_name: text(said.device_name), cmd: text(said.cmd) };
}
