import type { ReadPart, RememberedReads } from '../../store/index.ts';
import { type DayLine, type DeviceLine, StatementFiles } from './files.ts';
import { type KeptHeads, keptHeads } from './kept-heads.ts';
import { type StatementVerdict, verifyStatements } from './verify.ts';

/** The statements that were made, of a box that runs or is stopped. */
export class StatementLog {
  readonly #files: StatementFiles;
  readonly #store: ReadPart<RememberedReads>;

  constructor(dataDir: string, store: ReadPart<RememberedReads>) {
    this.#files = new StatementFiles(dataDir);
    this.#store = store;
  }

  /** The newest statement: what should also be kept elsewhere. Null: there is none yet. */
  async head(): Promise<KeptHeads['head'] | null> {
    return (await keptHeads(this.#store))?.head ?? null;
  }

  /** The days of a month `YYYY-MM` of which there is a statement, oldest first. */
  async days(month: string): Promise<string[]> {
    return (await this.#files.days()).filter(day => day.startsWith(`${month}-`));
  }

  /** Statement of a day; null if there is none. */
  read(day: string, device?: string): Promise<{ box: DayLine; devices: DeviceLine[] } | null> {
    return this.#files.read(day, device);
  }

  /** `asked`: a hash that was kept elsewhere. */
  async verify(asked: string | null): Promise<StatementVerdict> {
    return verifyStatements(this.#files, await keptHeads(this.#store), asked);
  }
}

/**
 * Recomputes the chain of the statement files in a folder, such as that of an unpacked backup.
 * `kept`: both ends as the store that belongs to it keeps them. Null: it holds; else the first day
 * that does not, and why.
 */
export async function statementsHold(folder: string, kept: string): Promise<string | null> {
  const { broken } = await verifyStatements(new StatementFiles(folder), JSON.parse(kept) as KeptHeads, null);
  return broken && `${broken.day}: ${broken.why}`;
}
