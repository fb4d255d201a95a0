import type { GatewayWrites, WritePart } from '../../src/store/index.ts';

/**
 * Resolves when the store has answered what was asked of it before, and what was asked upon each
 * answer, so many deep: a clock that a test turns by hand must not run ahead of a real thread.
 */
export async function answered(store: WritePart<GatewayWrites>, deep = 5): Promise<void> {
  for (let turn = 0; turn < deep; turn++) {
    await store.write.noteEvents({ events: [] });
    await new Promise(resolve => setImmediate(resolve));
  }
}
