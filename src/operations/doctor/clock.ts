import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { Clock } from '../../runtime/clock.ts';
import { isInContainer } from '../../runtime/container.ts';
import { latestLikely } from '../../runtime/known-time.ts';
import { programAt } from '../../runtime/version.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import { found } from '../../words/checks.ts';
import { type Finding, linkMs, withinMs } from './check.ts';
import { clockSynchronized } from './synchronized.ts';

const offMsMax = 60_000;
/** The program is newer than that. */
const earliest = Math.max(Date.UTC(2026, 0, 1), programAt);
/** The clock beside the one of the cloud, where an address of it speaks HTTP and answered. */
export async function clockCheck(clock: Clock, urls: readonly string[], timeZone: string): Promise<Finding> {
  const now = clock.now();
  const isUnlikely = now > latestLikely(earliest) && (await clockSynchronized()) !== true;
  if (now < earliest || isUnlikely) {
    const { day } = dayOf(now, timeZone);
    return { state: 'failed', ...found('clock_wild', { day }) };
  }
  for (const url of urls) {
    const theirs = await withinMs(clock, linkMs, dateOf(url));
    if (theirs === null) continue;
    const offMs = clock.now() - theirs;
    const params = { seconds: Math.round(Math.abs(offMs) / 1000), host: new URL(url).hostname };
    if (Math.abs(offMs) <= offMsMax) return { state: 'ok', ...found('clock', params) };
    return { state: 'failed', ...found(offMs > 0 ? 'clock_ahead' : 'clock_behind', params) };
  }
  if ((await clockSynchronized()) === true) return { state: 'ok', ...found('clock_ntp') };
  return { state: 'warn', ...found(isInContainer() ? 'clock_of_host' : 'clock_unknown') };
}

/**
 * To the second, the resolution of HTTP's Date. The certificate is not checked: with a wrong clock
 * none is valid.
 */
function dateOf(url: string): Promise<number | null> {
  return new Promise(resolve => {
    const secure = url.startsWith('https:');
    const options = { method: 'HEAD', agent: false, timeout: linkMs, ...(secure ? { rejectUnauthorized: false } : {}) };
    const outgoing = (secure ? request : plainRequest)(url, options, answer => {
      answer.resume();
      const at = Date.parse(answer.headers.date ?? '');
      resolve(Number.isNaN(at) ? null : at);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(null));
    outgoing.end();
  });
}
