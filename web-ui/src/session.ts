import { effect, signal } from '@preact/signals';
import type { SessionReport } from '../../src/accounts/staff/sign-in.ts';
import { pagePaths } from '../../src/platform/page-paths.ts';
import { send, signedOut } from './api.ts';
import { kept } from './kept.ts';
import { language, languageOfBox } from './words/index.ts';

type Session = SessionReport;
export type Role = NonNullable<Session['user']>['role'];

/** Null until the box has answered. */
export const session = signal<Session | null>(null);

// The shell draws the frame at once for who was signed in when this browser left.
effect(() => {
  if (session.value?.user) localStorage.setItem(kept.site, session.value.site.name);
  else if (session.value) localStorage.removeItem(kept.site);
  if (session.value?.boxes) localStorage.setItem(kept.boxes, 'yes');
  else if (session.value) localStorage.removeItem(kept.boxes);
});

const rank: Readonly<Record<Role, number>> = { viewer: 0, staff: 1, admin: 2 };

/** Whether the person who is signed in has this role or a higher one. */
export const may = (role: Role): boolean => {
  const mine = session.value?.user?.role;
  return mine !== undefined && rank[mine] >= rank[role];
};

/** Whether boxes below are listed here. */
export const hasBoxes = (): boolean => session.value?.boxes === true;

export async function askWho(): Promise<void> {
  const asked = await send<Session>('GET', '/session');
  languageOfBox(asked.site.locale);
  session.value = asked;
  signedOut.value = false;
}

export async function signIn(name: string, password: string): Promise<void> {
  session.value = await send<Session>('POST', '/session', { name, password });
  signedOut.value = false;
}

export async function makeFirstAccount(code: string, name: string, password: string): Promise<void> {
  const made = await send<Session>('POST', '/first-account', {
    ...{ code, name, password },
    locale: language.peek(),
  });
  history.replaceState(null, '', pagePaths.welcome);
  session.value = made;
}

/** Under which the browser keeps what an account chose in the search, until it signs out. */
export const recentKey = (name = ''): string => `gatehouse-recent ${name}`;

export async function signOut(): Promise<void> {
  localStorage.removeItem(recentKey(session.peek()?.user?.name));
  await send('DELETE', '/session');
  await askWho();
}
