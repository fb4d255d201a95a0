import { randomBytes } from 'node:crypto';
import type { StoreReader } from '../store/index.ts';
import { sameSecret } from './tokens.ts';

/**
 * Shows that a person has signed in with this browser before. It grants nothing: its holder is only
 * not counted with the strangers who guess.
 */
export const knownCookie = '__Host-gatehouse-known';
export const knownCookieRules = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'Strict',
  maxAge: 180 * 24 * 3600,
} as const;

/** People who share a browser. */
const peopleMax = 4;

interface Entry {
  readonly nonce: string;
  readonly mark: string;
}

/**
 * Device cookies, which identify a browser that signed in before (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"): a random number, and a MAC over it and the person's name. The
 * cookie does not contain the name.
 */
export class KnownBrowsers {
  readonly #read: Pick<StoreReader, 'browserMark'>;

  constructor({ read }: { read: Pick<StoreReader, 'browserMark'> }) {
    this.#read = read;
  }

  /**
   * The number of the browser where the person has signed in with it before; null: it is a
   * stranger's.
   */
  async recognize(cookie: string | undefined, name: string): Promise<string | null> {
    for (const { nonce, mark } of entriesOf(cookie))
      if (sameSecret(mark, await this.#read.browserMark(nonce, name))) return nonce;
    return null;
  }

  /** The cookie for a browser with which the person has just signed in. */
  async remember(cookie: string | undefined, name: string): Promise<string> {
    const held = entriesOf(cookie);
    const nonce = (await this.recognize(cookie, name)) ?? randomBytes(16).toString('base64url');
    const mark = await this.#read.browserMark(nonce, name);
    const others = held.filter(one => one.nonce !== nonce);
    return [{ nonce, mark }, ...others]
      .slice(0, peopleMax)
      .map(one => `${one.nonce}.${one.mark}`)
      .join('.');
  }
}

function entriesOf(cookie: string | undefined): readonly Entry[] {
  const parts = (cookie ?? '').slice(0, 400).split('.');
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < parts.length && entries.length < peopleMax; at += 2)
    entries.push({ nonce: parts[at]!, mark: parts[at + 1]! });
  return entries.filter(({ nonce, mark }) => /^[\w-]{22}$/.test(nonce) && /^[0-9a-f]{32}$/.test(mark));
}
