import { Socket } from 'node:net';
import type { Client, ClientConfig } from 'pg';

/**
 * Settings that statements of the store rely on. Each connection asks for them as it begins, which
 * goes before what the server, the database and the role set (`ALTER ROLE … SET`), and looks
 * whether it got them. Written as the server shows them.
 */
const pinned = {
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // A commit that no standby has is told by a warning.
  client_min_messages: 'warning',
  synchronous_commit: 'on',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
  // No transaction of the program pauses for so long, and one that hangs holds others up.
  idle_in_transaction_session_timeout: '5s',
  // Rows that a policy hides: an error is better than half an answer.
  row_security: 'off',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  client_encoding: 'UTF8',
  bytea_output: 'hex',
  extra_float_digits: '1',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  // The server compiles a statement that it thinks expensive, each time: 160 ms for one that takes
  // 50 µs, as long as it has counted no rows in a new database.
  jit: 'off',
} as const;

type Settings = Readonly<Record<string, string>>;

/**
 * Of the server's end: it lets go of what a machine that is gone had locked. Without effect on a
 * Unix socket.
 */
const pinnedOverTcp: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
};

/** Settings that only an administrator may change, or that newer servers alone have. */
const expected: Settings = { session_replication_role: 'origin', transaction_timeout: '0' };

/** Of this end: an idle connection to a machine that is gone breaks within 15 s. */
const keepAlive = { enable: true, initialDelay: 5000, interval: 2000, count: 5 };

/** PostgreSQL 15. */
const oldestServer = 150_000;

/** In place of a SQLSTATE: the store cannot use this session, and the message says why. */
export const unfit = 'unfit';

class UnfitSession extends Error {
  readonly code = unfit;
  readonly severity = 'FATAL';
}

/** State of a session, in its own words. */
interface SessionLook {
  /** Of the server's process. */
  readonly pid: number;
  /** `server_version_num`, and the same for people. */
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  /** Texts have the order of their bytes, as on SQLite. */
  readonly isBytewise: boolean;
  /** By name; null for one that the server does not have. */
  readonly settings: Readonly<Record<string, string | null>>;
}

const lookQuery = (settings: Settings): string => `SELECT json_build_object('pid', pg_backend_pid(),
  'number', current_setting('server_version_num')::int, 'version', current_setting('server_version'),
  'encoding', current_setting('server_encoding'), 'isBytewise', (SELECT bool_and(one < other)
    FROM (VALUES ('B', 'a'), ('Z', '_'), ('a b', 'aa'), ('z', chr(126))) AS pair (one, other)),
  'settings', json_build_object(${Object.keys(settings).map(name => `'${name}', current_setting('${name}', true)`)}))::text`;

const made = "CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'";

const pooled =
  'a pooler stands between this process and the database (PgBouncer, or what does the same), and a region needs connections of its own: name the database itself, or HAProxy in mode tcp';

/** Why the store cannot use a session; null: it can. `pid`: as the connection was told. */
export function whyUnfit(look: SessionLook, settings: Settings, pid: number): string | null {
  if (look.number < oldestServer) return `the database is PostgreSQL ${look.version}: 15 or newer is needed`;
  if (look.pid !== pid) return pooled;
  if (look.encoding !== 'UTF8') return `the encoding of the database is ${look.encoding}, and UTF8 is needed: ${made}`;
  if (!look.isBytewise)
    return `the database does not order texts as a box does, for which it needs the collation C: ${made}`;
  const [name, value] =
    Object.entries(settings).find(([name, value]) => look.settings[name] !== null && look.settings[name] !== value) ??
    [];
  if (name === undefined) return null;
  return `this user has ${name} = ${look.settings[name]}, and ${value} is needed: see who sets it (ALTER ROLE, ALTER DATABASE, the configuration of the server)`;
}

/** For the server's command line, which has its own quotes. */
const optionsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ');

/** Settings of one session that differ from the pinned ones. */
export type SessionSettings = Partial<Record<keyof typeof pinned, string>>;

interface SessionOptions extends Pick<ClientConfig, 'application_name' | 'pipeline' | 'types'> {
  readonly settings?: SessionSettings;
}

/**
 * Makes a connection to PostgreSQL, as every part of the program does. Rejects when there is none,
 * and with `unfit` in place of the SQLSTATE when the store could not rely on it.
 */
export async function connectSession(url: string, { settings, ...config }: SessionOptions): Promise<Client> {
  // Only a region reads it.
  const { Client } = await import('pg');
  const own: Settings = { ...pinned, ...settings };
  const options = encodeURIComponent(optionsOf({ ...own, ...pinnedOverTcp }));
  const client = new Client({
    ...config,
    // The last word of an address counts.
    connectionString: `${url}${url.includes('?') ? '&' : '?'}options=${options}`,
    connectionTimeoutMillis: 10_000,
    stream: () => new Socket().setKeepAlive(keepAlive as never),
  });
  // Until the caller listens: what is asked next reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    const asked = { ...own, ...expected };
    const { rows } = await client.query<[string]>({ text: lookQuery(asked), rowMode: 'array' });
    const why = whyUnfit(JSON.parse(rows[0]![0]), asked, (client as unknown as { processID: number }).processID);
    if (why !== null) throw new UnfitSession(why);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw /^unsupported startup parameter/.test((error as Error).message) ? new UnfitSession(pooled) : error;
  }
}
