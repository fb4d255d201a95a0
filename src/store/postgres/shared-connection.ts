/** All processes listen here. */
export const channel = 'gatehouse_region';

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
  `SELECT pg_notify('${channel}', '${word} ${me}:' || string_agg(item, ',')) FROM ${rows} HAVING count(*) > 0`;
