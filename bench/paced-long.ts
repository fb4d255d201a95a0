import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../src/platform/limits.ts';
import type { LimitingOptions, Part, Said } from './limiting-broker.ts';
import { end, freePort, loadCore, pinned, processorSeconds, residentMiB, root, temporaryFolder } from './machine.ts';
import { measureMqtt, mqttLoad } from './measure.ts';
import { logRecord } from './packets.ts';
import { median, type Row } from './report.ts';
import type { Pace } from './rounds.ts';
import { type Server, startBox } from './servers.ts';
import { tableLag } from './table-lag.ts';

const devices = 2000;
const recordBytes = 200;
const perSecond = limits.logsPerSecondMax;
const bars = { share: 0.99, flatMiB: 10 } as const;
/** Until then queues fill and buffers grow. */
const settledAfterMs = 10_000;
/** With fewer, half of them is gone before all devices send. */
const recordsMin = 4_000_000;
const levelWithinMs = 300_000;
const silentMs = 60_000;

/** One half of the drain, by one process of the box. */
interface Half {
  readonly part: Part;
  /** Each second, once all devices send and it has settled. */
  readonly residentMiB: readonly number[];
  readonly cpuMicroseconds: number;
}

interface Drained {
  readonly halves: readonly [Half, Half];
  readonly whole: Part;
  /** When the box was killed, and when it was ready again: milliseconds since 1970. */
  readonly killedAt: number;
  readonly readyAt: number;
}

/**
 * The line returns after a week: what 2,000 devices logged goes up as fast as the cloud takes it, 20
 * of a device in any second, and midway the box is killed and started again.
 */
export async function pacedLong(pace: Pace): Promise<Row[]> {
  if (pace.records < recordsMin) throw new Error(`paced-long: --records ${pace.records}: at least ${recordsMin}`);
  const each = Math.ceil(pace.records / devices);
  const name = `draining ${(each * devices).toLocaleString('en-US')} logs of ${devices.toLocaleString('en-US')} devices within the cloud's limits`;
  pace.note(name);
  return rowsOf(name, each * devices, await drained(each, pace));
}

async function drained(each: number, { note }: Pace): Promise<Drained> {
  await using folder = await temporaryFolder();
  const port = await freePort();
  const start = () =>
    startBox({
      dataDir: `${folder.path}/data`,
      config: { upstream: { mode: 'per-device', device_mqtt: `mqtt://127.0.0.1:${port}` } },
    });
  const records = each * devices;
  const box = await start();
  await fill(box, each, note);
  await using cloud = limitingBroker({ port, records, perSecond, numberAt: logRecord(recordBytes).numberAt });
  const before = await watch(box, cloud, { note, isOver: () => cloud.fresh >= records / 2 });
  const killedAt = Date.now();
  await box[Symbol.asyncDispose]();
  const firstPart = await cloud.endPart();
  await using again = await start();
  const readyAt = Date.now();
  note(`  killed, and ready again after ${readyAt - killedAt} ms`);
  const after = await watch(again, cloud, { note, isOver: () => cloud.whole !== null });
  return {
    halves: [
      { ...before, part: firstPart },
      { ...after, part: await cloud.endPart() },
    ],
    whole: cloud.whole!,
    killedAt,
    readyAt,
  };
}

/** All send the same number, so that all take the same time. */
async function fill(box: Server, each: number, note: Pace['note']): Promise<void> {
  const total = each * devices;
  await measureMqtt(
    box,
    mqttLoad(box, false, {
      ...{ connections: devices, bytes: recordBytes, each, total },
      ...{ seconds: 0.1, warmUpSeconds: 0 },
    }),
  );
  note(`  ${total.toLocaleString('en-US')} wait; ${await tableLag(box, levelWithinMs)}`);
}

/** What the box needs until `isOver`. */
async function watch(
  box: Server,
  cloud: LimitingBroker,
  { note, isOver }: { note: Pace['note']; isOver: () => boolean },
): Promise<Omit<Half, 'part'>> {
  const residents: number[] = [];
  const from = cloud.fresh;
  const cpuBefore = processorSeconds(box.pid);
  let [seen, seenAt, allAt, sampledAt] = [from, Date.now(), 0, 0];
  while (!isOver()) {
    await wait(20);
    const now = Date.now();
    if (cloud.fresh > seen) {
      [seen, seenAt] = [cloud.fresh, now];
      if (allAt === 0 && cloud.heard === devices) allAt = now;
    }
    if (now - seenAt > silentMs) throw new Error(`nothing more arrived after ${seen} records:\n${cloud.said()}`);
    if (allAt === 0 || now - allAt < settledAfterMs || now - sampledAt < 1000) continue;
    sampledAt = now;
    residents.push(residentMiB(box.pid));
    if (residents.length % 20 === 1)
      note(`  ${seen.toLocaleString('en-US')} arrived, ${residents.at(-1)!.toFixed(0)} MiB`);
  }
  const cpu = processorSeconds(box.pid) - cpuBefore;
  return { residentMiB: residents, cpuMicroseconds: (cpu * 1e6) / (cloud.fresh - from) };
}

interface LimitingBroker extends AsyncDisposable {
  /** How many records have arrived at least once. */
  readonly fresh: number;
  /** Of how many devices something arrived since the last part. */
  readonly heard: number;
  /** Null until all have. */
  readonly whole: Part | null;
  /** What arrived since the last time that it was called. */
  endPart(): Promise<Part>;
  readonly said: () => string;
}

function limitingBroker(options: LimitingOptions): LimitingBroker {
  const child = pinned(loadCore, `${root}bin/node`, [`${root}bench/limiting-broker.ts`, JSON.stringify(options)]);
  let last: Said = { fresh: 0, heard: 0 };
  let whole: Part | null = null;
  let onPart: (part: Part) => void = () => {};
  createInterface({ input: child.stdout! }).on('line', line => {
    last = JSON.parse(line) as Said;
    whole = last.whole ?? whole;
    if (last.part) onPart(last.part);
  });
  return {
    get fresh() {
      return last.fresh;
    },
    get heard() {
      return last.heard;
    },
    get whole() {
      return whole;
    },
    endPart: () =>
      new Promise(resolve => {
        onPart = resolve;
        child.stdin!.write('\n');
      }),
    said: child.said,
    [Symbol.asyncDispose]: () => end(child, 'SIGKILL'),
  };
}

const percents = (shares: readonly number[]) => shares.map(share => `${(share * 100).toFixed(2)}`).join(' and ');
const seconds = (ms: number) => (ms / 1000).toFixed(1);
const count = (of: number) => of.toLocaleString('en-US');

function rowsOf(name: string, records: number, { halves, whole, killedAt, readyAt }: Drained): Row[] {
  const [, after] = halves;
  const share = ({ leastSeconds, seconds }: Part) => leastSeconds / seconds;
  const shares = halves.map(({ part }) => share(part));
  const ranges = halves.map(({ residentMiB }) => [Math.min(...residentMiB), Math.max(...residentMiB)] as const);
  const dropped = whole.dropped;
  const common = { peer: '', beside: '', ratio: '' };
  return [
    {
      ...common,
      what: `${name}, % of the rate allowed, before and after a kill -9`,
      own: percents(shares),
      bar: `${bars.share * 100}, none dropped`,
      met: Math.min(...shares) >= bars.share && dropped === 0,
      why:
        `the least time for a device's records, ${perSecond} of them in any second, by the time that they took; the cloud dropped ${dropped}; ` +
        `${seconds(whole.lastAt - whole.firstAt)} s from the first to the last, ${percents([share(whole)])} % with the kill and the start in the middle; ` +
        `${halves.map(({ cpuMicroseconds }) => cpuMicroseconds.toFixed(1)).join(' and ')} µs of processor time a record`,
    },
    {
      ...common,
      what: `${name}, MiB resident, before and after a kill -9`,
      own: halves
        .map(({ residentMiB }, index) => {
          const [least, most] = ranges[index]!;
          return `${median(residentMiB).toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`;
        })
        .join(' and '),
      bar: `flat: ± ${bars.flatMiB}`,
      met: ranges.every(([least, most]) => most - least <= 2 * bars.flatMiB),
      why: `sampled each second from ${settledAfterMs / 1000} s after the first record of the last device on: the box lets 50 sessions a second connect`,
    },
    {
      ...common,
      what: `${name}: s from the kill -9 to the next record`,
      own: seconds(after.part.firstAt - killedAt),
      bar: 'none lost',
      met: whole.arrived - whole.again === records && dropped === 0,
      why:
        `the box was ready ${seconds(readyAt - killedAt)} s after the kill, and logs wait until a second after the start, since the cloud may have counted what was sent before; ` +
        `${count(whole.arrived - whole.again)} of ${count(records)} records arrived, ${count(whole.again)} of them twice, each device's in order`,
    },
  ];
}
