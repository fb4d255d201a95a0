import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { putFile } from './appliance/put-file.ts';

interface TicketKeysOptions {
  /** Holds tickets.key, which only the box can read. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keys that seal the tickets by which TLS clients resume their sessions. */
export interface TicketKeys extends AsyncDisposable {
  /** 48 bytes, as `server.setTicketKeys` takes them. */
  current(): Buffer;
  onRenewed(listener: () => void): void;
}

const keyBytes = 48;
const stampBytes = 8;
const lifetimeMs = 24 * 3600 * 1000;
const lookEveryMs = 3600 * 1000;

interface Made {
  readonly at: UnixMs;
  readonly key: Buffer;
}

/**
 * The key of TLS tickets, kept over a restart: when power returns, each device resumes its session,
 * which takes half the processor time of a full handshake. It is replaced after a day, and the old
 * one is not kept, because who has it can read the recorded TLS 1.2 sessions that it sealed.
 */
export async function openTicketKeys(options: TicketKeysOptions): Promise<TicketKeys> {
  const { clock } = options;
  let made = readKey(options) ?? makeKey(options);
  const listeners: (() => void)[] = [];
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(lookEveryMs, ending.signal).catch(() => {});
      if (ending.signal.aborted || isGood(made.at, clock.now())) continue;
      made = makeKey(options);
      for (const listener of listeners) listener();
    }
  })();
  return {
    current: () => made.key,
    onRenewed: listener => void listeners.push(listener),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await watching;
    },
  };
}

/** A clock that was set back makes a key old too: it would otherwise live for too long. */
const isGood = (at: UnixMs, now: UnixMs): boolean => at <= now && now - at < lifetimeMs;

const fileOf = (dir: string): string => join(dir, 'tickets.key');

/** Null when there is none, or it is not whole, or it is too old. */
function readKey({ dir, clock }: TicketKeysOptions): Made | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(fileOf(dir));
  } catch {
    return null;
  }
  if (bytes.length !== stampBytes + keyBytes) return null;
  const at = Number(bytes.readBigUInt64BE());
  return isGood(at, clock.now()) ? { at, key: bytes.subarray(stampBytes) } : null;
}

/** A disk that is full stops nobody: sessions then do not resume after a restart. */
function makeKey({ dir, clock, log }: TicketKeysOptions): Made {
  const made = { at: clock.now(), key: randomBytes(keyBytes) };
  const stamp = Buffer.alloc(stampBytes);
  stamp.writeBigUInt64BE(BigInt(made.at));
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    putFile(fileOf(dir), Buffer.concat([stamp, made.key]), { mode: 0o600, owner: null });
  } catch (error) {
    log.warn({ error: String(error) }, 'ticket_key_not_stored');
  }
  return made;
}
