import { forgetPerson } from '../domains/accounts.ts';
import type { Item, Section } from './section.ts';

/**
 * People who sign in, as in the site file. `role: none`: somebody who can only sign in to
 * applications.
 */
export const users: Section = {
  name: 'users',
  secrets: ['password_hash'],
  defaults: {},
  key: item => String(item.name),
  read: ({ sql }) =>
    sql('SELECT name, password_hash, role, headimgurl FROM local_user ORDER BY rowid').all() as Record<
      string,
      unknown
    >[],
  write: ({ sql }, { name, password_hash, role, headimgurl }) =>
    void sql(
      `INSERT INTO local_user (name, password_hash, role, headimgurl) VALUES (?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET password_hash = excluded.password_hash, role = excluded.role,
           headimgurl = excluded.headimgurl`,
    ).run(
      String(name),
      typeof password_hash === 'string' ? password_hash : null,
      String(role),
      typeof headimgurl === 'string' ? headimgurl : '',
    ),
  remove: (context, name) => {
    forgetPerson(context, name);
    context.sql('DELETE FROM local_user WHERE name = ?').run(name);
  },
};

const isAdmin = ({ role, password_hash }: Item): boolean => role === 'admin' && typeof password_hash === 'string';

/**
 * Whether nobody could manage the box any more, and somebody can now. `before`: all that are
 * stored; `listed`: what a file says of some, over what is stored of them.
 */
export function losesLastAdmin(before: readonly Item[], listed: readonly Item[], prune: boolean): boolean {
  const after = new Map(prune ? [] : before.map(item => [item.name, item]));
  const stored = new Map(before.map(item => [item.name, item]));
  for (const said of listed) {
    const merged = { ...stored.get(said.name) };
    for (const [field, value] of Object.entries(said)) if (value !== undefined) merged[field] = value;
    after.set(said.name, merged);
  }
  return before.some(isAdmin) && ![...after.values()].some(isAdmin);
}
