import { recentKey, session } from '../session.ts';

/** Earlier choices, newest first; in this browser alone, for each account. */
export interface Recent {
  readonly title: string;
  readonly note: string;
  readonly href: string;
}

const kept = 8;
const keyOf = (): string => recentKey(session.peek()?.user?.name);

export function recents(): readonly Recent[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]');
    return Array.isArray(found) ? found.filter(isRecent).slice(0, kept) : [];
  } catch {
    return [];
  }
}

/** The address is one of this site: what is stored may have been written by something else. */
const isRecent = (one: unknown): one is Recent => {
  const { title, note, href } = (one ?? {}) as Partial<Recent>;
  return typeof title === 'string' && typeof note === 'string' && typeof href === 'string' && /^\/(?!\/)/.test(href);
};

export function remember({ title, note, href }: Recent): void {
  const others = recents().filter(one => one.href !== href);
  try {
    localStorage.setItem(keyOf(), JSON.stringify([{ title, note, href }, ...others].slice(0, kept)));
  } catch {
    // A browser that stores nothing has no recent choices.
  }
}
