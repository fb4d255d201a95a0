import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Client, Submittable } from 'pg';

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
