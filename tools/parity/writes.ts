import { attendanceCall, commandCall, serviceCall } from './calls.ts';
import type { ParityCall, ParityKeys, Side, SideAnswer } from './side.ts';

/**
 * Calls that write, each side with ids of its own: what one is told reaches the other through the
 * copy. At the end everything is deleted again; a file goes by itself, a minute later.
 */

/** Both sides get a name of the same length; answers are compared with it taken out. */
export const writtenName = (side: 'box' | 'cloud', run: string): string => `parity-${side[0]}-${run}`;
export const withoutName = (value: unknown, name: string): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(name, 'parity'));

/** `last` is the answer to the step before. */
type Step = (name: string, last: SideAnswer | null) => ParityCall;

interface WrittenApi {
  readonly api: string;
  readonly steps: readonly Step[];
  /** Calls made at the end whatever came before; their answers count for nothing. */
  readonly undo: readonly Step[];
}

const department = (name: string, change: object = {}) => ({ department_ext_id: name, name: 'Parity', ...change });
const employee = (name: string, change: object = {}) => ({
  employee_ext_id: name,
  name: 'Parity',
  mobile: '10000000000',
  employee_num: name,
  department_infos: [{ ext_id: `${name}-d`, title: 'Nobody' }],
  ...change,
});
const card = { feature_type: 'card', feature_alg: 'base64' };

const putDepartment = (body: object) => attendanceCall('/v2.0/department', body);
const putEmployee = (body: object) => attendanceCall('/v2.0/employee', body);
const removeEmployee: Step = name => attendanceCall('/v2.0/employee/delete', { employee_ext_id: name });
const removeDepartment =
  (suffix: string): Step =>
  name =>
    attendanceCall('/v2.0/department/delete', { department_ext_id: `${name}${suffix}` });
const featuresOf: Step = name => commandCall('checkin_feature_query', { user_ext_id: name, ...card });
const putCards =
  (values: readonly string[], ...extIds: readonly ((name: string) => string)[]): Step =>
  name =>
    commandCall('feature_update', {
      users: extIds.map(extId => ({ ext_id: extId(name), ...card, feature_value: values })),
    });

const organization: WrittenApi = {
  api: 'attendance',
  steps: [
    name => putDepartment(department(name)),
    name => putDepartment(department(name, { name: 'Parity 2' })),
    name => putDepartment(department(`${name}-d`, { p_ext_id: name })),
    name => putEmployee(employee(name, { department_infos: [{ ext_id: `${name}-none` }] })),
    name => putEmployee(employee(name, { name: 'x'.repeat(31) })),
    name => putEmployee(employee(name)),
    name => putEmployee(employee(name, { name: 'Parity 2' })),
    // Somebody is still in the department below.
    removeDepartment(''),
    removeDepartment('-d'),
    putCards(
      ['QUJD'],
      name => name,
      name => `${name}-none`,
    ),
    featuresOf,
    putCards([], name => name),
    featuresOf,
    removeEmployee,
    removeEmployee,
    featuresOf,
    removeDepartment('-d'),
    removeDepartment(''),
    removeDepartment(''),
  ],
  undo: [removeEmployee, removeDepartment('-d'), removeDepartment('')],
};

const upload = (query: string): ParityCall =>
  serviceCall(`/api/v1.0.0/file?client=parity&expire=60000${query}`, {
    method: 'POST',
    raw: 'parity',
    headers: { 'Content-Type': 'application/octet-stream' },
  });
const lookUp: Step = (_, last) => {
  const { data } = (last?.body ?? {}) as { data?: { file_id?: unknown } };
  return serviceCall(`/api/v1.0.0/file/${encodeURIComponent(String(data?.file_id ?? 'none'))}`);
};

const files: WrittenApi = {
  api: 'files',
  steps: [() => upload('&public=true&name=parity.txt'), lookUp, () => upload('&name=parity.txt'), lookUp],
  undo: [],
};

export const writtenApis = (keys: ParityKeys): WrittenApi[] => [
  ...(keys.attendance ? [organization] : []),
  ...(keys.services ? [files] : []),
];

/** One side's calls with their answers. Rejects where a call has no whole answer. */
export async function written(
  side: Side,
  { steps, undo }: WrittenApi,
  run: string,
): Promise<{ call: ParityCall; answer: SideAnswer }[]> {
  const name = writtenName(side.name, run);
  const found: { call: ParityCall; answer: SideAnswer }[] = [];
  try {
    for (const step of steps) {
      const call = step(name, found.at(-1)?.answer ?? null);
      found.push({ call, answer: await side.ask(call) });
    }
    return found;
  } finally {
    await undone(side, { undo }, name);
  }
}

/** Deletes what was written under a name, also at a box that has copied it from the cloud. */
export async function undone(side: Side, { undo }: Pick<WrittenApi, 'undo'>, name: string): Promise<void> {
  for (const step of undo) await side.ask(step(name, null)).catch(() => {});
}
