import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

/** systemd-timesyncd touches it when it has set the clock. */
const timesyncFolder = '/run/systemd/timesync';
const chronyFolder = '/run/chrony';
const answerMs = 2000;
/** Source that chrony names when it serves its own clock to a site that has no other. */
const ownClock = '7F7F0101';

/** Whether the system's clock is synchronized by the network; null: unknown. */
export async function clockSynchronized(): Promise<boolean | null> {
  if (existsSync(`${timesyncFolder}/synchronized`)) return true;
  if (existsSync(chronyFolder)) {
    const said = await promisify(execFile)('chronyc', ['-c', '-n', 'tracking'], { timeout: answerMs }).catch(
      () => null,
    );
    const tracks = said && readTracking(said.stdout);
    if (tracks !== null) return tracks;
  }
  return existsSync(timesyncFolder) ? false : null;
}

/**
 * The one line of `chronyc -c tracking`: the source first, whether it is followed last. Null: it is
 * no such line.
 */
export function readTracking(line: string): boolean | null {
  const fields = line.trim().split(',');
  if (fields.length < 14) return null;
  return fields[0] !== ownClock && fields.at(-1) !== 'Not synchronised';
}
