import type { Client, QueryConfig, QueryResultRow } from 'pg';
import type { Processes, ProcessTopic } from '../port/region.ts';
import { connectSession, type SessionSettings } from './session.ts';

/** A connection for what must not wait behind the journal. Rejects when there is none. */
export const connected = (url: string, settings: SessionSettings = {}): Promise<Client> =>
  connectSession(url, { application_name: 'gatehouse side', settings });

/** A connection that several parts of a process share. It runs their statements one by one. */
export class SideConnection {
  readonly #client: Client;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Rejects when the server cannot be reached. */
  static async open(url: string, settings?: SessionSettings): Promise<SideConnection> {
    return new SideConnection(await connected(url, settings));
  }

  /** Rejects when the statement is wrong, or the connection has broken. */
  query<Row extends QueryResultRow>(statement: string | QueryConfig): Promise<Row[]> {
    const asked = this.#last.then(async () => (await this.#client.query<Row>(statement)).rows);
    this.#last = asked.catch(() => {});
    return asked;
  }

  /** Listener for messages of other processes. */
  onNotification(listener: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload = '' }) => listener(channel, payload));
  }

  /** Unless it was closed from here. */
  onBroken(listener: (error: unknown) => void): void {
    for (const event of ['error', 'end'] as const)
      this.#client.on(event, (error: unknown = new Error('the connection ended')) => {
        if (!this.#isClosed) listener(error);
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.end().catch(() => {});
  }
}

/**
 * Fences a process: waits for the transaction that it has open, and none that it begins later
 * commits. On a connection of its own, since that may take seconds.
 */
export async function fenceProcess(url: string, process: number): Promise<void> {
  const client = await connected(url);
  client.on('error', () => {});
  try {
    await client.query('UPDATE process SET live = false WHERE id = $1 AND live', [process]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** All processes listen here. */
export const sharedChannel = 'gatehouse_region';

/** One statement, named so that the server prepares it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Connection that the parts of the shared state use. */
export interface SharedConnection {
  /** The number of this process. */
  readonly me: number;
  /** Rejects with a StoreError. */
  ask<Row extends object>(statement: Statement): Promise<Row[]>;
  /** Called with what any process says with this word, this one too, and which one it is. */
  on(word: string, listener: (items: string[], from: number) => void): void;
}

/**
 * SQL that says `word` to all processes, with the texts of the column `item` of `rows`: at most
 * 150 of 44 characters, for NOTIFY takes 8000 bytes. A statement has to ask for its rows.
 */
export const tells = (word: string, me: number, rows: string): string =>
  `SELECT pg_notify('${sharedChannel}', '${word} ${me}:' || string_agg(item, ',')) FROM ${rows} HAVING count(*) > 0`;

const channel = 'gatehouse_processes';
/** NOTIFY takes 8000. */
const bytesMax = 7500;

/** Messages between processes, by NOTIFY over the side connection: `FROM TOPIC TEXT`. */
export class ProcessChannel implements Processes {
  readonly #side: SideConnection;
  readonly #me: number;
  readonly #listeners = new Map<string, ((text: string, from: number) => void)[]>();

  private constructor(side: SideConnection, me: number) {
    this.#side = side;
    this.#me = me;
    side.onNotification((from, payload) => {
      if (from === channel) this.#hear(payload);
    });
  }

  /** `me`: the number of this process. Rejects when the connection has broken. */
  static async open(side: SideConnection, me: number): Promise<ProcessChannel> {
    const opened = new ProcessChannel(side, me);
    await side.query(`LISTEN ${channel}`);
    return opened;
  }

  async tell(topic: ProcessTopic, text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (bytes > bytesMax) throw new RangeError(`${topic}: ${bytes} bytes`);
    await this.#side
      .query({ name: 'tell all', text: 'SELECT pg_notify($1, $2)', values: [channel, `${this.#me} ${topic} ${text}`] })
      .catch(() => {});
  }

  onMessage(topic: ProcessTopic, listener: (text: string, from: number) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  #hear(payload: string): void {
    const [, from, topic, text] = /^(\d+) ([\w-]+) (.*)$/s.exec(payload) ?? [];
    if (topic === undefined || Number(from) === this.#me) return;
    for (const listener of this.#listeners.get(topic) ?? []) listener(text!, Number(from));
  }
}
