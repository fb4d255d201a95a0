import { z } from '@hono/zod-openapi';
import type { Accounts } from '../../accounts/index.ts';
import { ownSubjects, subjectOf } from '../../words/audit-own.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { done } from '../shapes.ts';
import type { UserAdmin } from '../users.ts';

/** Changes that everybody may make to their own account, whatever the role. */
export const ownAccountOperations = {
  changePassword: operation({
    method: 'post',
    path: '/me/password',
    role: 'viewer',
    audited: described('changed their own password', '修改自己的密码'),
    summary: described(
      'Changes the password of the person who is signed in, who gives the old one too; the sessions end',
      '修改自己的密码，需要提供旧密码；所有登录随即结束',
    ),
    body: z.object({ old: z.string().max(1000), new: z.string().max(1000) }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: {
      422: described('The old password is another, or the new one is weak', '旧密码不对，或新密码太弱'),
      429: described('Too many wrong passwords: try again later', '密码错误次数过多：请稍后再试'),
      503: described('Too many sign in at the moment: try again later', '同时登录的人太多：请稍后再试'),
    },
  }),
};

export const ownAccount = ({
  users,
  accounts,
}: {
  readonly users: Pick<UserAdmin, 'put'>;
  readonly accounts: Pick<Accounts, 'checkPassword' | 'access'>;
}): Running<typeof ownAccountOperations> => ({
  async changePassword({ old, new: wanted }, call = byCommand) {
    const { actor, role, address, via } = call.caller;
    if (via !== 'session') throw refused(403, 'not_a_person', 'a token has no password: sign in with a name');
    const checked = await accounts.checkPassword({ name: actor, password: old, address });
    if (!checked.ok) {
      const why = ownSubjects.say(`login_${checked.why}`);
      const noted = { actor, role, address, action: 'POST /me/password', ...subjectOf(why) };
      await accounts.access.audit({ ...noted, outcome: 'refused' });
      if (checked.why === 'wrong') throw refused(422, 'wrong', 'the present password is wrong');
      const { retryAfterSeconds } = checked;
      const status = checked.why === 'busy' ? 503 : 429;
      throw refused(status, checked.why, `try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
    }
    return users.put({ name: actor, password: wanted }, call);
  },
});
