import type { AttendanceCodeName } from '../../platform/attendance.ts';
import type { DateText } from '../../platform/shifts.ts';
import { CallRefused } from './answers.ts';
import type { CallContext } from './calls.ts';
import { organizationCalls } from './organization-calls.ts';
import { firstIssue } from './schemas.ts';

/** Changes by people at the box, through the same operations as signed calls. */
export type OrganizationChange =
  | {
      readonly call: 'put department';
      readonly body: {
        readonly department_ext_id: string;
        readonly name: string;
        readonly p_ext_id?: string | undefined;
      };
      /** The first date under the parent; absent: today, if it is another than before. */
      readonly since?: DateText | undefined;
    }
  | { readonly call: 'delete department'; readonly body: { readonly department_ext_id: string } }
  | {
      readonly call: 'put employee';
      readonly body: {
        readonly employee_ext_id: string;
        readonly name: string;
        readonly mobile: string;
        readonly employee_num: string;
        readonly department_infos: readonly [{ readonly ext_id: string; readonly title: string }];
      };
      /** The first date in the department; absent: today, if it is another than before. */
      readonly since?: DateText | undefined;
    }
  | { readonly call: 'delete employee'; readonly body: { readonly employee_ext_id: string } };

export type ChangeOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: AttendanceCodeName; readonly reason: string };

const paths: Readonly<Record<OrganizationChange['call'], string>> = {
  'put department': '/v2.0/department',
  'delete department': '/v2.0/department/delete',
  'put employee': '/v2.0/employee',
  'delete employee': '/v2.0/employee/delete',
};

/**
 * Does it under the rules of SPEC 4.8; with the cloud as authority it is queued for it, in the name
 * of `actor`.
 */
export async function changeOrganization(
  context: CallContext,
  { call, body, ...move }: OrganizationChange,
  actor: string,
): Promise<ChangeOutcome> {
  const one = organizationCalls.find(({ path }) => path === paths[call])!;
  const parsed = one.body.safeParse(body);
  if (!parsed.success) return { ok: false, code: 'bad_body', reason: firstIssue(parsed.error) };
  try {
    await one.run(parsed.data, context, { ...move, appKey: actor, text: JSON.stringify(body) });
    return { ok: true };
  } catch (error) {
    if (error instanceof CallRefused) return { ok: false, code: error.code, reason: error.message };
    throw error;
  }
}
