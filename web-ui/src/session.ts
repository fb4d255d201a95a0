import { signal } from '@preact/signals';
import { pagePaths } from '../../src/platform/page-paths.ts';
import { call, signedOut } from './api.ts';

export type Role = 'admin' | 'staff' | 'viewer';

export interface Session {
  /** Null: not signed in. */
  readonly user: { readonly name: string; readonly role: Role } | null;
  /** There is no account yet: the first is to be made. */
  readonly setup: boolean;
  readonly site: { readonly name: string; readonly locale: string; readonly timezone: string };
}

/** Null until the box has answered. */
export const session = signal<Session | null>(null);

const rank: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, admin: 2 };

/** Whether the person who is signed in has this role or a higher one. */
export const may = (role: Role): boolean => {
  const mine = session.value?.user?.role;
  return mine !== undefined && rank[mine] >= rank[role];
};

export async function askWho(): Promise<void> {
  session.value = await call<Session>('GET', '/session');
  signedOut.value = false;
}

export async function signIn(name: string, password: string): Promise<void> {
  session.value = await call<Session>('POST', '/session', { name, password });
  signedOut.value = false;
}

export async function makeFirstAccount(code: string, name: string, password: string): Promise<void> {
  const made = await call<Session>('POST', '/first-account', { code, name, password });
  history.replaceState(null, '', pagePaths.welcome);
  session.value = made;
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
  await askWho();
}
