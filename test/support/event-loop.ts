/**
 * The longest time for which `act` holds the event loop, in milliseconds of this thread's processor
 * time, so that other programs of a loaded machine do not count. The best of three runs: the first
 * also compiles.
 */
export async function longestHold(act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) best = Math.min(best, await holdOf(act));
  return best;
}

async function holdOf(act: () => Promise<unknown>): Promise<number> {
  let before = cpuMs();
  let longest = 0;
  let isDone = false;
  const turn = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const done = act().finally(() => {
    isDone = true;
  });
  turn();
  while (!isDone) {
    await new Promise(resolve => setImmediate(resolve));
    turn();
  }
  await done;
  return longest;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
