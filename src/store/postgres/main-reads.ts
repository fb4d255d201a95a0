import type { Client } from 'pg';
import { StoreError } from '../port/journal.ts';
import type { Value } from './bridge-messages.ts';
import { connectSession } from './session.ts';
import { valueTypes } from './values.ts';

/**
 * Reads of the main thread, which never stands still for the server: they take as long as the
 * server takes. One that fails has lost its connection, or has been refused what no reader is
 * refused: the process ends (`onBroken`), and nobody is told anything else meanwhile. Rejects with
 * a StoreError (`closed`) alone.
 */
export class MainReads {
  readonly #client: Client;
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** Called when the connection has broken: this process has to start again. */
  onBroken: (error: unknown) => void = () => {};

  private constructor(client: Client) {
    this.#client = client;
    for (const event of ['error', 'end'] as const)
      client.on(event, (error: unknown = new Error('the connection ended')) => {
        if (!this.#isClosed) this.onBroken(error);
      });
  }

  /** Rejects when the server cannot be reached. */
  static async open(url: string): Promise<MainReads> {
    return new MainReads(await connectSession(url, { application_name: 'gatehouse main', types: valueTypes }));
  }

  /** `name`: of the statement, which is prepared at its first call. */
  async rows<Row>({
    name,
    text,
    values,
  }: {
    name: string;
    text: string;
    values: readonly (Value | readonly number[])[];
  }): Promise<Row[]> {
    try {
      return (await this.#client.query({ name, text, values: [...values] })).rows as Row[];
    } catch (error) {
      if (!this.#isClosed) this.onBroken(error);
      await this.#closed.promise;
      throw new StoreError('closed', 'the store is closed');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    await this.#client.end().catch(() => {});
  }
}
