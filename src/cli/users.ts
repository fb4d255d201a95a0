import { hostname, userInfo } from 'node:os';
import { isAdminRefused } from '../runtime/admin-refused.ts';
import { realClock } from '../runtime/real-world.ts';
import { askHidden } from './ask-hidden.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { textOf } from './text-of.ts';
import { ago, table } from './wording.ts';

type Role = 'admin' | 'staff' | 'viewer';
type PersonsRole = Role | 'none';

/** `user add NAME --role R`: adds an account; its password comes from standard input or a file. */
export const userAdd: Run = async call => {
  const [name] = call.arguments as [string];
  await using box = await findBox(call);
  if ((await box.get('/users')).rows.some(one => one.name === name && one.can_sign_in))
    throw new CommandFailed(`${name}: this person exists already: \`gatehouse user passwd ${name}\` sets the password`);
  const role = (textOption(call, 'role') ?? 'viewer') as PersonsRole;
  await ofPerson(name, box.put('/users/{name}', { name, role, password: await readPassword(call) }));
  await call.print(`${name} may sign in as ${role}\n`);
};

/** `user role NAME --role R`: sets what a person may do, such as one with a cloud account. */
export const userRole: Run = async call => {
  const [name] = call.arguments as [string];
  const role = textOption(call, 'role') as PersonsRole | undefined;
  if (!role) throw new WrongUsage('--role is missing: write admin, staff, viewer or none');
  await using box = await findBox(call);
  const known = (await box.get('/users')).rows.find(one => one.name === name);
  if (!known) throw new CommandFailed(`${name}: there is nobody with this name: \`gatehouse user list\` lists all`);
  await ofPerson(name, box.put('/users/{name}', { name, role }));
  const then = known.can_sign_in || role === 'none' ? '' : `; \`gatehouse user passwd ${name}\` lets them sign in`;
  await call.print(`${name} has the role ${role}${then}\n`);
};

/** `user passwd NAME`: sets a new password and ends the person's sessions. */
export const userPasswd: Run = async call => {
  const [name] = call.arguments as [string];
  await using box = await findBox(call);
  if (!(await box.get('/users')).rows.some(one => one.name === name))
    throw new CommandFailed(`${name}: there is nobody with this name: \`gatehouse user list\` lists all`);
  await ofPerson(name, box.put('/users/{name}', { name, password: await readPassword(call) }));
  await call.print(`${name} has a new password, and is signed out everywhere\n`);
};

export const userList: Run = async call => {
  await using box = await findBox(call);
  const { rows: users } = await box.get('/users');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(users, null, 2)}\n`);
  if (users.length === 0) return call.print('nobody yet: `gatehouse user add NAME --role admin`\n');
  const now = realClock.now();
  const rows = users.map(one => [
    one.name,
    one.role,
    one.can_sign_in ? String(one.sessions) : 'by the cloud',
    one.seen_at === null ? 'never' : ago(one.seen_at, now),
  ]);
  await call.print(table(['NAME', 'ROLE', 'SESSIONS', 'LAST SEEN'], rows));
};

export const userRemove: Run = async call => {
  const [name] = call.arguments as [string];
  await using box = await findBox(call);
  await ofPerson(name, box.erase('/users/{name}', { name }));
  await call.print(`${name} is removed, and signed out everywhere\n`);
};

/** Names the person in a refusal. */
const ofPerson = (name: string, asked: Promise<unknown>) =>
  asked.catch(error => {
    throw isAdminRefused(error) ? new CommandFailed(`${name}: ${error.message}`) : error;
  });

/** `token create --role R [--expires 30d] [--topics F] [--actions C]`: prints the token alone. */
export const tokenCreate: Run = async call => {
  const role = textOption(call, 'role') as Role | 'events' | undefined;
  if (!role) throw new WrongUsage('--role is missing: write admin, staff, viewer or events');
  const expires = textOption(call, 'expires');
  const days = expires === undefined ? null : Number(/^(\d{1,4})d$/.exec(expires)?.[1] ?? Number.NaN);
  if (days !== null && !(days >= 1 && days <= 3650))
    throw new WrongUsage(`--expires "${expires}": write days, such as 30d, at most 3650d`);
  const topics = listOption(call, 'topics');
  const actions = listOption(call, 'actions')?.map(code => {
    if (/^\d{1,10}$/.test(code)) return Number(code);
    throw new WrongUsage(`--actions "${code}": write action codes, such as 3001,3002`);
  });
  await using box = await findBox(call);
  const name = textOption(call, 'name') ?? `${userInfo().username}@${hostname()}`;
  const made = await box.post('/tokens', { name, role, days, topics: topics ?? null, actions: actions ?? null });
  await call.print(`${made.token}\n`);
};

const listOption = (call: Call, name: string): string[] | undefined =>
  textOption(call, name)
    ?.split(',')
    .map(one => one.trim())
    .filter(Boolean);

export const tokenList: Run = async call => {
  await using box = await findBox(call);
  const { rows: tokens } = await box.get('/tokens');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(tokens, null, 2)}\n`);
  const now = realClock.now();
  const rows = tokens.map(one => [
    String(one.id),
    one.name,
    one.role,
    one.ends_at === null ? 'never' : one.ends_at <= now ? 'has ended' : ago(one.ends_at, now),
    one.used_at === null ? 'never' : ago(one.used_at, now),
  ]);
  await call.print(tokens.length === 0 ? 'none\n' : table(['ID', 'NAME', 'ROLE', 'ENDS', 'LAST USED'], rows));
};

export const tokenRemove: Run = async call => {
  const [id] = call.arguments as [string];
  await using box = await findBox(call);
  const unknown = new CommandFailed(`${id}: there is no such token: \`gatehouse token list\` lists all`);
  if (!/^[1-9]\d*$/.test(id)) throw unknown;
  await box.erase('/tokens/{id}', { id: Number(id) }).catch(error => {
    throw isAdminRefused(error) && error.problem.status === 404 ? unknown : error;
  });
  await call.print(`token ${id} has ended\n`);
};

/**
 * One line of standard input if it is no terminal, or `--password-file` (CONTRACT 7); on a
 * terminal, asks without echo.
 */
async function readPassword(call: Call): Promise<string> {
  const file = textOption(call, 'password-file');
  if (file === undefined && call.stdin.isTTY) {
    const first = await askHidden(call, 'password: ');
    if ((await askHidden(call, 'once more: ')) !== first) throw new CommandFailed('the two passwords differ');
    return first;
  }
  try {
    return textOf(call, file ?? '-').split(/\r?\n/)[0]!;
  } catch (error) {
    throw new CommandFailed(`${file ?? 'standard input'}: the password cannot be read: ${(error as Error).message}`);
  }
}
