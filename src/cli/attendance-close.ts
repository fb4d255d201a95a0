import type { BoxClient } from '../admin-client/index.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';
import { TerminalProgress } from './terminal-progress.ts';

const lookMs = 1000;

/**
 * `attendance close MONTH`: closes a month for the site, or for a department; refused while
 * something is in the way, unless `--force` says why. On a terminal it shows how far the box is.
 */
export const attendanceClose: Run = async call => {
  await using box = await findBox(call);
  const month = call.arguments[0]!;
  const closing = box.post('/attendance/closings', {
    ...{ month, department: textOption(call, 'department'), force: textOption(call, 'force') },
  });
  const closed = await shown(call, box, month, closing);
  if (flag(call, 'json')) return call.print(`${JSON.stringify(closed)}\n`);
  const scope = closed.scope ? closed.scope.name : 'the whole site';
  await call.print(
    `${closed.month} is closed for ${scope}: revision ${closed.revision}, ${closed.people} people\nsha256 ${closed.hash}\n`,
  );
  const unsettled = closed.in_the_way.map(({ what, count }) => `${what.replaceAll('_', ' ')} ${count}`);
  if (unsettled.length > 0) await call.print(`not settled: ${unsettled.join(', ')}\n`);
};

/** Waits for the closing, and shows its progress meanwhile. */
async function shown<Closed>(call: Call, box: BoxClient, month: string, closing: Promise<Closed>): Promise<Closed> {
  const progress = new TerminalProgress(call);
  if (!progress.isSeen) return await closing;
  const ended = new AbortController();
  const show = async () => {
    for (;;) {
      await realClock.sleep(lookMs, ended.signal);
      const { unfinished } = await box.get('/attendance/closings', { month });
      const underWay = unfinished.find(({ refused }) => refused === null);
      if (underWay && !ended.signal.aborted) progress.show(`${underWay.done} of ${underWay.people} people`);
    }
  };
  // A look that failed is no reason to say that the closing did.
  const showing = show().catch(() => {});
  return await closing.finally(async () => {
    ended.abort();
    await showing;
    progress.clear();
  });
}
