/**
 * Calls `look` every few milliseconds until it returns something; fails with what it returned last.
 */
export async function until<T>(what: string, look: () => T | Promise<T>, withinMs = 30_000): Promise<NonNullable<T>> {
  const end = performance.now() + withinMs;
  for (let last: unknown; ; ) {
    try {
      const seen = await look();
      if (seen) return seen as NonNullable<T>;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what} (last: ${String(last)})`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
