import type { Clock } from '../runtime/clock.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import { isReachable } from './reachable.ts';
import type { Trust } from './trust.ts';

const mqttProbeMs = 60_000;
/** A retry and a login. */
const mqttProvedMs = 10_000;

interface Movable {
  readonly window: InFlightWindow;
  drop(why: string): void;
}

/**
 * HTTP is for where MQTT is blocked. Checks once a minute whether MQTT works again: one session
 * tries first, and the others follow when it is up.
 */
export async function returnToMqtt(
  url: string,
  { sessions, trust, clock, signal }: { sessions: Iterable<Movable>; trust: Trust; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const isOverHttp = ({ window }: Movable) => window.isUp && window.via === 'http';
  while (!signal.aborted) {
    await clock.sleep(mqttProbeMs, signal).catch(() => {});
    const [first, ...others] = [...sessions].filter(isOverHttp);
    if (!first || !(await isReachable(url, trust, signal)) || signal.aborted) continue;
    first.drop('MQTT answers again');
    await clock.sleep(mqttProvedMs, signal).catch(() => {});
    if (!first.window.isUp || first.window.via !== 'mqtt') continue;
    for (const session of others) if (isOverHttp(session)) session.drop('MQTT answers again');
  }
}
