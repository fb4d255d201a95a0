import { registerHooks } from 'node:module';

/** A mend that is taken back: text of today's program, and what stood for it before. */
interface OldBug {
  /** The commit that mended it. */
  readonly mendedBy: string;
  readonly file: string;
  readonly now: string;
  readonly before: string;
}

export const oldBugs = {
  'a log with holes is written on': {
    mendedBy: '9c3079de',
    file: 'src/store/schema/write-ahead-log.ts',
    now: 'this.#mayHaveHoles = true;',
    before: '',
  },
  'logs go up at once after a start': {
    mendedBy: '305f144e',
    file: 'src/upstream/pace.ts',
    now: 'options.openedAt + 1000',
    before: 'options.openedAt',
  },
  'a confirmation is taken off before it is counted': {
    mendedBy: 'a574dd79',
    file: 'src/upstream/open.ts',
    now: 'if (upTo > this.#outbox.countedTo) void this.#count().then(passed);\n    else passed();',
    before: 'passed();',
  },
} as const satisfies Record<string, OldBug>;

export type OldBugName = keyof typeof oldBugs;

/**
 * To be called before anything of the program is loaded. What it returns says whether the bug is in
 * what was loaded since. Loading throws where the program has no such text any more.
 */
export function putBack(name: OldBugName): () => boolean {
  const { file, now, before } = oldBugs[name];
  let isThere = false;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const text = String(loaded.source);
      if (!text.includes(now)) throw new Error(`${file} no longer has: ${now}`);
      isThere = true;
      return { ...loaded, source: text.replace(now, before) };
    },
  });
  return () => isThere;
}
