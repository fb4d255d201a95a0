import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './numbers.ts';

/** The state of a drill that is under way, as JSON: it survives a power cut, old or new. */
export class StateFile<State extends { readonly version: 1 }> {
  readonly #file: string;

  /** `name`: such as `card.json`. */
  constructor(folder: string, name: string) {
    this.#file = join(folder, name);
  }

  /** State of the drill; null if none is under way, or the file cannot be read. */
  async read(): Promise<State | null> {
    try {
      const state = JSON.parse(await readFile(this.#file, 'utf8')) as State;
      return state.version === 1 ? state : null;
    } catch {
      return null;
    }
  }

  /** On the disk, old or new, when this resolves; if the disk keeps its word. Null removes it. */
  async write(state: State | null): Promise<void> {
    const folder = dirname(this.#file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (state === null) await rm(this.#file, { force: true });
    else {
      const temporary = `${this.#file}.new`;
      {
        await using handle = await open(temporary, 'w', 0o600);
        await handle.writeFile(JSON.stringify(state));
        await handle.sync();
      }
      await rename(temporary, this.#file);
    }
    await syncFolder(folder);
  }
}
