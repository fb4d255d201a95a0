import type { Clock } from '../runtime/clock.ts';
import type { GivenReason } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import { isReachable } from './reachable.ts';
import type { Trust } from './trust.ts';

const mqttProbeMs = 60_000;
/** A retry and a login. */
const mqttProvedMs = 10_000;

interface Movable {
  readonly window: InFlightWindow;
  drop(why: GivenReason): void;
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
    first.drop(uplinkReasons.say('mqtt_is_back'));
    await clock.sleep(mqttProvedMs, signal).catch(() => {});
    if (!first.window.isUp || first.window.via !== 'mqtt') continue;
    for (const session of others) if (isOverHttp(session)) session.drop(uplinkReasons.say('mqtt_is_back'));
  }
}
