import type { Clock } from '../platform/clock.ts';
import { answers } from './answers.ts';
import type { Flights } from './flights.ts';
import type { Trust } from './trust.ts';

const mqttProbeMs = 60_000;
/** A retry and a login. */
const mqttProvedMs = 10_000;

interface Movable {
  readonly flights: Flights;
  drop(why: string): void;
}

/** HTTP is for where MQTT is blocked: now and then it is looked whether it still is. One session goes first, the others follow when it got through. */
export async function returnToMqtt(
  url: string,
  {
    trunks,
    trust,
    clock,
    signal,
  }: { trunks: () => Iterable<Movable>; trust: Trust; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const isOverHttp = ({ flights }: Movable) => flights.isUp && flights.via === 'http';
  while (!signal.aborted) {
    await clock.sleep(mqttProbeMs, signal).catch(() => {});
    const [first, ...others] = [...trunks()].filter(isOverHttp);
    if (!first || !(await answers(url, trust, signal)) || signal.aborted) continue;
    first.drop('MQTT answers again');
    await clock.sleep(mqttProvedMs, signal).catch(() => {});
    if (!first.flights.isUp || first.flights.via !== 'mqtt') continue;
    for (const trunk of others) if (isOverHttp(trunk)) trunk.drop('MQTT answers again');
  }
}
