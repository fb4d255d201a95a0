import { realClock } from '../runtime/real-world.ts';
import { CommandFailed, flag, type Run } from './command.ts';
import { findBox } from './find-box.ts';
import { ago } from './wording.ts';

/** `accounts grants [USER]`: which applications people have allowed to know who they are. */
export const accountGrants: Run = async call => {
  await using box = await findBox(call);
  const { grants } = await box.get('/grants', { user: call.arguments[0] });
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ grants }, null, 2)}\n`);
  const now = realClock.now();
  for (const one of grants)
    await call.print(
      `#${one.id}  ${one.user} allowed ${one.client_id} (${one.scope}), last used ${ago(one.used_at, now)}\n`,
    );
  if (grants.length === 0) await call.print('nobody has allowed anything\n');
};

/** `accounts revoke ID` */
export const accountRevoke: Run = async call => {
  const [id] = call.arguments;
  await using box = await findBox(call);
  if (!/^[1-9]\d*$/.test(id!) || !(await box.post('/grants/{id}/revoke', { id: Number(id) })).found)
    throw new CommandFailed(`${id}: no such grant: \`gatehouse accounts grants\` lists them`);
  await call.print('it is revoked; the application has to ask again\n');
};

/** `accounts sessions USER` */
export const accountSessions: Run = async call => {
  await using box = await findBox(call);
  const { sessions } = await box.get('/users/{name}/sessions', { name: call.arguments[0]! });
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ sessions }, null, 2)}\n`);
  const now = realClock.now();
  for (const one of sessions)
    await call.print(
      `${one.address}  since ${ago(one.opened_at, now)}, last seen ${ago(one.seen_at, now)}: ${one.agent}\n`,
    );
  if (sessions.length === 0) await call.print(`${call.arguments[0]} is logged in nowhere\n`);
};

/** `accounts end-sessions USER` */
export const accountEndSessions: Run = async call => {
  await using box = await findBox(call);
  const { count } = await box.post('/users/{name}/sessions/end', { name: call.arguments[0]! });
  await call.print(`${count} sessions ended\n`);
};
