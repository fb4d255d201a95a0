import type { Line } from '../history/entry.ts';
import type { World } from './world.ts';

/** Deeds of all parties of a simulation, and their answers, in the format of test/history. */
export class Script {
  readonly lines: string[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  write(by: string, line: Line): void {
    this.lines.push(JSON.stringify({ at: this.#world.monotonic, by, ...line }));
  }

  note(text: string): void {
    this.write('seed', { op: 'note', text });
  }
}
