import { type Measured, measureMqtt, mqttLoad } from './measure.ts';
import { median, type Row, ratios, spread } from './report.ts';
import { of, type Pace, percent } from './rounds.ts';
import type { Server } from './servers.ts';

interface Circumstances {
  /** `half a core`: how the box is worse off. */
  readonly name: string;
  readonly usual: () => Promise<Server>;
  readonly worse: () => Promise<Server>;
  /** How the machine was made worse. */
  readonly how: string;
}

/** Sixteen would wait for the disk: so many that a slow one has something to write at once. */
const inFlight = 64;
const barOfRate = 0.5;
const barOfDelay = 10;

/**
 * The box as usual and where it is worse off, in turn: how much ingest falls, and how much the
 * delay of a PUBACK grows, each at half of what that box takes.
 */
export async function worseOff(pace: Pace, { name, usual, worse, how }: Circumstances): Promise<Row[]> {
  pace.note(name);
  const [full, fullWorse, half, halfWorse] = [[], [], [], []] as Measured[][];
  for (let round = 0; round < pace.rounds; round++) {
    full!.push(await atFullLoad(usual, pace));
    fullWorse!.push(await atFullLoad(worse, pace));
    half!.push(await atHalfOf(full!.at(-1)!, usual, pace));
    halfWorse!.push(await atHalfOf(fullWorse!.at(-1)!, worse, pace));
    const rates = [full, fullWorse].map(all => Math.round(all!.at(-1)!.perSecond));
    const delays = [half, halfWorse].map(all => all!.at(-1)!.p99Ms.toFixed(1));
    pace.note(`  round ${round + 1}: ${rates.join(' and ')}/s, p99 ${delays.join(' and ')} ms`);
  }
  const rate = ratios(of(fullWorse!, 'perSecond'), of(full!, 'perSecond'));
  const delay = ratios(of(halfWorse!, 'p99Ms'), of(half!, 'p99Ms'));
  return [
    {
      what: `ingest with ${name}, plain, messages/s`,
      own: spread(of(fullWorse!, 'perSecond')),
      peer: 'the same without',
      beside: spread(of(full!, 'perSecond')),
      ratio: spread(rate, 2),
      bar: `at least ${barOfRate}`,
      met: Math.min(...rate) >= barOfRate,
      why: `${how}; 50 connections with ${inFlight} in flight each; the box used ${percent(median(of(fullWorse!, 'cpuShare')))} of its core`,
    },
    {
      what: `PUBLISH to PUBACK with ${name}, at half of that, p99 ms`,
      own: spread(of(halfWorse!, 'p99Ms'), 1),
      peer: 'the same without, at half of what it takes',
      beside: spread(of(half!, 'p99Ms'), 1),
      ratio: spread(delay, 1),
      bar: `less than ${barOfDelay} times`,
      met: Math.max(...delay) < barOfDelay,
      why: `p50 ${spread(of(halfWorse!, 'p50Ms'), 1)} ms beside ${spread(of(half!, 'p50Ms'), 1)} ms`,
    },
  ];
}

async function atFullLoad(start: () => Promise<Server>, { seconds }: Pace): Promise<Measured> {
  await using server = await start();
  return await measureMqtt(server, mqttLoad(server, false, { seconds, window: inFlight }));
}

async function atHalfOf(full: Measured, start: () => Promise<Server>, { seconds }: Pace): Promise<Measured> {
  await using server = await start();
  const rate = Math.round(full.perSecond / 2);
  return await measureMqtt(server, mqttLoad(server, false, { seconds, window: inFlight, rate }));
}
