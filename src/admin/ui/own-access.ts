import { z } from '@hono/zod-openapi';
import type { OwnPageAccess } from '../../accounts/index.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { extIdText, monthText } from '../people-shapes.ts';
import { refused } from '../problem.ts';
import { done } from '../shapes.ts';
import { type ConfirmedMonthParts, confirmation, confirmedMonths } from './confirmed-month.ts';

/** People of one sheet of codes. */
const codesMax = 500;
/** In the audit log a list of people ends after so many. */
const namedMax = 5;
const params = z.object({ ext_id: extIdText });
const unknown = { 404: described('Nobody has this id', '没有人使用此编号') };

export const ownAccessOperations = {
  makeAccessCodes: operation({
    method: 'post',
    path: '/access-codes',
    role: 'staff',
    audited: described('handed out access codes for “My attendance”', '发放“我的考勤”访问码'),
    summary: described(
      'A code for each of these people, with which they open “My attendance” once; an earlier one that was not used ends',
      '为这些人员各生成一个访问码，可打开“我的考勤”一次；之前未使用的访问码随即失效',
    ),
    body: z.strictObject({ ext_ids: z.array(extIdText).min(1).max(codesMax) }),
    holdsSecrets: true,
    returns: described('The codes, which are shown this once', '访问码，只显示这一次'),
    answer: z.object({
      ends_at: z.number().describe(described('When a code ends that was not used', '未使用的访问码何时失效')),
      codes: z.array(
        z.object({
          ext_id: z.string(),
          name: z.string(),
          employee_num: z.string(),
          department: z.string(),
          code: z.string().describe(described('Such as ABCD-EFGH-JKMN', '例如 ABCD-EFGH-JKMN')),
        }),
      ),
    }),
    failures: { 404: described('Some of them are not there, or have left', '其中有人不存在或已离职') },
  }),
  ownAccess: operation({
    method: 'get',
    path: '/people/{ext_id}/access',
    role: 'viewer',
    summary: described('Whether a person can open “My attendance”', '人员能否打开“我的考勤”'),
    params,
    returns: described(
      'The code that waits, and the browsers that are signed in',
      '待使用的访问码，以及已登录的浏览器',
    ),
    answer: z.object({
      code_ends_at: z.number().nullable().describe(described('Null: no code waits', 'null：没有待使用的访问码')),
      sessions: z.number(),
      seen_at: z.number().nullable().describe(described('Null: never', 'null：从未')),
    }),
    failures: unknown,
  }),
  monthConfirmation: operation({
    method: 'get',
    path: '/people/{ext_id}/confirmations/{month}',
    role: 'viewer',
    ofWholeTables: true,
    summary: described('Whether a person has confirmed a month', '人员是否已确认某月考勤'),
    params: params.extend({ month: monthText }),
    returns: described('The confirmation', '确认'),
    answer: z.object({ confirmed: confirmation }),
    failures: unknown,
  }),
  revokeOwnAccess: operation({
    method: 'post',
    path: '/people/{ext_id}/access/revoke',
    role: 'staff',
    audited: described('ended the access of an employee to “My attendance”', '取消员工对“我的考勤”的访问'),
    summary: described(
      'Signs a person out of “My attendance” everywhere, and ends the code',
      '使人员在所有浏览器退出“我的考勤”，访问码失效',
    ),
    params,
    returns: described('Done', '已完成'),
    answer: done,
    failures: unknown,
  }),
};

/** Access to "My attendance": codes are handed out, and access is ended. */
export function ownAccess({
  accounts: { ownPages },
  ...parts
}: ConfirmedMonthParts & {
  readonly accounts: { readonly ownPages: Pick<OwnPageAccess, 'makeCodes'> };
}): Running<typeof ownAccessOperations> {
  const { store, clock } = parts;
  const monthOf = confirmedMonths(parts);
  const known = async (extId: string) => {
    const found = await store.read.ownAccess({ extId, at: clock.now() });
    if (!found) throw refused(404, 'unknown', 'nobody has this id');
    return found;
  };
  return {
    async makeAccessCodes({ ext_ids: extIds }, call = byCommand) {
      const made = await ownPages.makeCodes(extIds);
      if (!made.ok)
        throw refused(404, 'unknown', `not there, or left: ${made.missing.slice(0, 5).join(', ')}; no code was made`);
      const ids = extIds.slice(0, namedMax).join(', ');
      call.subject(extIds.length > namedMax ? `${ids}, +${extIds.length - namedMax}` : ids);
      const codes = made.codes.map(({ extId, employeeNum, ...one }) => ({
        ...one,
        ext_id: extId,
        employee_num: employeeNum,
      }));
      return { ends_at: made.endsAt, codes };
    },

    async ownAccess({ ext_id: extId }) {
      const { codeEndsAt, sessions, seenAt } = await known(extId);
      return { code_ends_at: codeEndsAt, sessions, seen_at: seenAt };
    },

    async monthConfirmation({ ext_id: extId, month }, call = byCommand) {
      return { confirmed: (await monthOf(extId, month, call)).confirmed };
    },

    async revokeOwnAccess({ ext_id: extId }) {
      await known(extId);
      await store.write.revokeOwnAccess({ extId });
      return { done: true };
    },
  };
}
