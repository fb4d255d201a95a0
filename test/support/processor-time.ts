/**
 * Microseconds of processor time that each call costs this process, its thread pool included. Takes
 * turns and keeps the least of each, so that a busy machine slows all alike and a garbage collection
 * does not count.
 */
export async function processorTimesOf(
  calls: readonly ((turn: number) => Promise<unknown>)[],
  turns = 9,
): Promise<number[]> {
  const least = calls.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, call] of calls.entries()) {
      const before = process.cpuUsage();
      await call(turn);
      const { user, system } = process.cpuUsage(before);
      least[index] = Math.min(least[index]!, user + system);
    }
  return least;
}
