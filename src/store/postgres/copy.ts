import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Client, Submittable } from 'pg';

/** The types of the store's columns in PostgreSQL. */
export type ColumnType = 'bigint' | 'bytea' | 'text';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** As SQLite gives it: a number is a value with a fraction, all others are bigints. */
export type BoxValue = null | bigint | number | string | Uint8Array;

/** A value that is not of the type of its column, which SQLite does not ask for. */
export class WrongType extends Error {
  readonly column: string;
  constructor({ name, type }: Column, value: BoxValue) {
    super(`its column ${name} holds ${kindOf(value)} in place of ${type}`);
    this.name = 'WrongType';
    this.column = name;
  }
}

const kindOf = (value: BoxValue): string =>
  value instanceof Uint8Array ? 'bytes' : typeof value === 'string' ? 'a text' : `the number ${value}`;

const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const trailer = Buffer.of(0xff, 0xff);
const chunkBytes = 256 << 10;
const exactMax = 2 ** 52;

/**
 * Rows in the binary format of COPY, and the sum that tells whether the database has the same: of
 * the first 48 bits of the SHA-256 of each row, in any order. A row is its fields, each after its
 * length in four bytes, -1 for null; `sumOf` has PostgreSQL calculate the same.
 */
export class BinaryRows {
  readonly #columns: readonly Column[];
  #buffer = Buffer.allocUnsafe(2 * chunkBytes);
  #at = 0;
  #sum = 0n;
  #exact = 0;
  rows = 0;
  /** Texts in which a NUL became U+FFFD, as the store writes one there. */
  changedTexts = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#at = header.copy(this.#buffer);
  }

  /** Throws WrongType. */
  add(values: readonly BoxValue[]): void {
    this.#need(2);
    this.#at = this.#buffer.writeInt16BE(this.#columns.length, this.#at);
    const from = this.#at;
    for (const [index, column] of this.#columns.entries()) this.#field(column, values[index] ?? null);
    const digest = hash('sha256', this.#buffer.subarray(from, this.#at), 'buffer');
    this.#exact += digest.readUIntBE(0, 6);
    if (this.#exact > exactMax) this.#carry();
    this.rows++;
  }

  get isChunk(): boolean {
    return this.#at >= chunkBytes;
  }

  /** Rows added since the last call; valid until the next row. */
  take(): Uint8Array {
    const chunk = this.#buffer.subarray(0, this.#at);
    this.#at = 0;
    return chunk;
  }

  /** The rest, with the end of the format. */
  last(): Uint8Array {
    this.#need(trailer.length);
    this.#at += trailer.copy(this.#buffer, this.#at);
    return this.take();
  }

  get sum(): bigint {
    this.#carry();
    return this.#sum;
  }

  #carry(): void {
    this.#sum += BigInt(this.#exact);
    this.#exact = 0;
  }

  #field(column: Column, value: BoxValue): void {
    if (value === null) {
      this.#length(-1, 0);
      return;
    }
    switch (column.type) {
      case 'bigint':
        if (typeof value !== 'bigint') throw new WrongType(column, value);
        this.#length(8, 8);
        this.#at = this.#buffer.writeBigInt64BE(value, this.#at);
        return;
      case 'text': {
        if (typeof value !== 'string') throw new WrongType(column, value);
        const text = value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
        if (text !== value) this.changedTexts++;
        const bytes = Buffer.byteLength(text);
        this.#length(bytes, bytes);
        this.#at += this.#buffer.write(text, this.#at);
        return;
      }
      case 'bytea':
        if (!(value instanceof Uint8Array)) throw new WrongType(column, value);
        this.#length(value.length, value.length);
        this.#buffer.set(value, this.#at);
        this.#at += value.length;
    }
  }

  #length(length: number, bytes: number): void {
    this.#need(4 + bytes);
    this.#at = this.#buffer.writeInt32BE(length, this.#at);
  }

  #need(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Copies rows of these columns into a table. */
export const copyInto = (table: string, columns: readonly Column[]): string =>
  `COPY ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')}) FROM STDIN (FORMAT binary)`;

/** Asks a table for the number of its rows and their sum, as BinaryRows has them. */
export function sumOf(table: string, columns: readonly Column[]): string {
  const fields = columns.map(({ name, type }) => {
    const field = quoted(name);
    const bytes = { bigint: `int8send(${field})`, bytea: field, text: `convert_to(${field}, 'UTF8')` }[type];
    const length = type === 'bigint' ? 'int4send(8)' : `int4send(octet_length(${field}))`;
    return `coalesce(${length} || ${bytes}, int4send(-1))`;
  });
  return `SELECT count(*)::text AS rows, coalesce(sum(number), 0)::text AS sum
    FROM (SELECT ('x' || encode(substring(sha256(${fields.join(' || ')}) FROM 1 FOR 6), 'hex'))::bit(48)::bigint AS number
      FROM ${quoted(table)}) AS own`;
}

/** Undocumented parts of the client's connection. */
interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  sendCopyFail(reason: string): void;
  endCopyFrom(): void;
}

/**
 * One `COPY … FROM STDIN`, chunk by chunk: the client has the messages of the protocol, and no
 * statement that uses them. Its `handle…` are called by the client.
 */
export class CopyIn implements Submittable {
  readonly #text: string;
  readonly #ready = Promise.withResolvers<CopyConnection>();
  readonly #ended = Promise.withResolvers<void>();
  #connection: CopyConnection | undefined;
  #rows = 0;

  private constructor(text: string) {
    this.#text = text;
    // The next write reports the error.
    this.#ready.promise.catch(() => {});
    this.#ended.promise.catch(() => {});
  }

  static begin(client: Client, text: string): CopyIn {
    return client.query(new CopyIn(text));
  }

  /** Resolves when the connection takes more; rejects with what the server refused. */
  async write(chunk: Uint8Array): Promise<void> {
    const connection = await this.#ready.promise;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain)
      await Promise.race([once(connection.stream, 'drain'), this.#ended.promise]);
  }

  /** Resolves to the number of rows that the server took. */
  async end(): Promise<number> {
    (await this.#ready.promise).endCopyFrom();
    await this.#ended.promise;
    return this.#rows;
  }

  /** Has the server forget it; the transaction has failed. */
  async abandon(): Promise<void> {
    const connection = await this.#ready.promise.catch(() => null);
    connection?.sendCopyFail('abandoned');
    await this.#ended.promise.catch(() => {});
  }

  submit(connection: unknown): void {
    this.#connection = connection as CopyConnection;
    this.#connection.query(this.#text);
  }

  handleCopyInResponse(): void {
    this.#ready.resolve(this.#connection!);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0);
  }

  handleError(error: Error): void {
    this.#ready.reject(error);
    this.#ended.reject(error);
  }

  handleReadyForQuery(): void {
    this.#ended.resolve();
  }
}
