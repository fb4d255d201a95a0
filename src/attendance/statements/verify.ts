import { setImmediate } from 'node:timers/promises';
import { canonicalJson, statementHash } from './chain.ts';
import { lineOf, readLine, type StatementFiles } from './files.ts';
import { type KeptHeads, nothingBefore } from './kept-heads.ts';

export interface StatementVerdict {
  readonly holds: boolean;
  /** The first day that does not hold, and why. */
  readonly broken: { readonly day: string; readonly why: string } | null;
  readonly days: number;
  readonly statements: number;
  readonly first: { readonly day: string; readonly no: number } | null;
  readonly last: { readonly day: string; readonly no: number; readonly hash: string } | null;
  /** The day of the statement whose hash was asked for; null: none of them has it. */
  readonly found: string | null;
}

class Broken extends Error {
  readonly day: string;
  constructor(day: string, why: string) {
    super(why);
    this.day = day;
  }
}

/**
 * Computes the whole chain again, oldest day first, and compares its ends with what the store keeps
 * of them. It detects a file that was changed, removed or put in. Whoever can write both the files
 * and the store can write a new chain: only a head that was kept elsewhere shows that, `asked`.
 */
export async function verifyStatements(
  files: StatementFiles,
  kept: KeptHeads | null,
  asked: string | null,
): Promise<StatementVerdict> {
  const walk = new Walk(files, kept, asked);
  let broken: StatementVerdict['broken'] = null;
  try {
    for (const day of await files.days()) await walk.takeDay(day);
    walk.end();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    broken = { day: error.day, why: error.message };
  }
  const { days, statements, first, last, found } = walk;
  return { holds: broken === null, broken, days, statements, first, last, found };
}

class Walk {
  readonly #files: StatementFiles;
  readonly #kept: KeptHeads | null;
  readonly #asked: string | null;
  days = 0;
  statements = 0;
  first: StatementVerdict['first'] = null;
  last: StatementVerdict['last'] = null;
  found: string | null = null;

  constructor(files: StatementFiles, kept: KeptHeads | null, asked: string | null) {
    this.#files = files;
    this.#kept = kept;
    this.#asked = asked;
  }

  async takeDay(day: string): Promise<void> {
    const lines = await this.#files.lines(day);
    // Retention removed it meanwhile.
    if (lines === null) return;
    if (lines.length === 0) throw new Broken(day, 'its file is empty');
    for (const [index, text] of lines.entries()) {
      this.#takeLine(day, index, text);
      if (index % 200 === 199) await setImmediate();
    }
    const devices = readLine(lines[0]!)?.statement;
    if (devices?.kind !== 'day' || devices.devices !== lines.length - 1)
      throw new Broken(day, 'lines of it are missing, or were put in');
    this.days++;
  }

  #takeLine(day: string, index: number, text: string): void {
    const line = readLine(text);
    if (!line || lineOf(line) !== text)
      throw new Broken(day, `line ${index + 1} was changed: it is not as it was written`);
    const { hash, previous, statement } = line;
    if (statement.day !== day) throw new Broken(day, `line ${index + 1} is a statement of ${statement.day}`);
    const begin = this.#kept?.begin ?? nothingBefore;
    if (index === 0 && statement.no === begin.no && previous !== begin.previous)
      throw new Broken(day, 'it does not follow the statement before it');
    if (this.last === null) this.#begin(day, statement.no, begin.no);
    else if (index === 0 && statement.no !== this.last.no + 1)
      throw new Broken(
        day,
        `it is number ${statement.no}, and number ${this.last.no + 1} is missing: a file was removed`,
      );
    if (this.last !== null && previous !== this.last.hash)
      throw new Broken(day, `line ${index + 1} does not follow the statement before it`);
    if (hash !== statementHash(previous, canonicalJson(statement)))
      throw new Broken(day, `line ${index + 1} was changed: its hash is another one`);
    this.statements++;
    this.last = { day, no: statement.no, hash };
    if (hash === this.#asked) this.found = day;
    const head = this.#kept?.head;
    if (head && statement.no === head.no && day !== head.day)
      throw new Broken(day, `number ${head.no} is kept as the statement of ${head.day}`);
  }

  /** The oldest statement that is there: the first of all, or the one that retention left. */
  #begin(day: string, no: number, first: number): void {
    this.first = { day, no };
    if (no > first) throw new Broken(day, `it is number ${no}, and number ${first} is missing: a file was removed`);
  }

  /** The newest statement is the one that the store knows, or the one just after it. */
  end(): void {
    const head = this.#kept?.head;
    if (!head) return;
    if (this.last === null) throw new Broken(head.day, 'its file is missing, and all others');
    if (this.last.no < head.no) throw new Broken(head.day, 'its file is missing: the newest were removed');
    if (this.last.no === head.no && this.last.hash !== head.hash)
      throw new Broken(this.last.day, 'its end is not the one that was kept: it was written again');
  }
}
