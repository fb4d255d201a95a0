import type { Random } from '../../src/runtime/clock.ts';
import { seededRandom } from '../support/clock.ts';
import { type CloudFault, cloudFaults } from './cloud.ts';
import { type CutPlace, cutPlaces, type Leftover, leftovers } from './disk.ts';
import type { Kind } from './terminal.ts';

/** Something that people, devices, lines, disks or the power do at a moment (`at`, in ms). */
export type Step = { readonly at: number } & Deed;

type Deed =
  | { readonly do: 'say'; readonly device: number; readonly kind: Kind; readonly count: number }
  /** The program is killed, or (`leftover`) the power is cut; it starts again after `downMs`. */
  | { readonly do: 'kill'; readonly leftover: Leftover | null; readonly downMs: number }
  /** The power is cut in the next commit but `commits`. */
  | {
      readonly do: 'cut in a commit';
      readonly commits: number;
      readonly place: CutPlace;
      readonly leftover: Leftover;
      readonly downMs: number;
    }
  | { readonly do: 'stop'; readonly downMs: number }
  | { readonly do: 'disk full'; readonly ms: number }
  | { readonly do: 'flushes fail'; readonly count: number }
  | { readonly do: 'a flush takes'; readonly ms: number }
  | { readonly do: 'set the clock'; readonly byMs: number }
  | { readonly do: 'cloud'; readonly fault: CloudFault; readonly ms: number }
  | { readonly do: 'line to the cloud'; readonly is: 'refused' | 'silent' | 'slow'; readonly ms: number }
  | { readonly do: 'reset the line to the cloud' }
  | { readonly do: 'break the line of a device'; readonly device: number; readonly isSilent: boolean }
  | { readonly do: 'payroll' };

export interface Plan {
  readonly seed: number;
  readonly devices: number;
  readonly ms: number;
  /** How long the tables rest while nobody asks for them. */
  readonly tablesRestMs: number;
  readonly steps: readonly Step[];
}

const minute = 60_000;
const hour = 60 * minute;

/**
 * The plan of a seed: from minutes under many faults to hours with few, or as many days as
 * are asked for.
 */
export function planOf(seed: number, days = 0): Plan {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const between = (from: number, to: number) => Math.round(from + random() * (to - from));
  const devices = between(1, 4);
  const ms = days > 0 ? days * 24 * hour : pick([2 * minute, 5 * minute, 10 * minute, 30 * minute, 2 * hour]);
  const steps: Step[] = [];
  const times = Math.max(1, days * 10);
  for (let count = times * between(5, 40); count > 0; count--)
    steps.push({
      ...{ at: between(0, ms), do: 'say', device: between(0, devices - 1) },
      kind: random() < 0.6 ? 'message' : 'log',
      count: random() < 0.8 ? between(1, 4) : between(5, 60),
    });
  // Each seed knows some of the faults.
  const known = faults.filter(() => random() < 0.4);
  if (known.length > 0)
    for (let count = times * between(1, 14); count > 0; count--)
      steps.push({ at: between(0, ms), ...pick(known)(random, { pick, between, devices }) });
  for (let count = times * between(1, 5); count > 0; count--) steps.push({ at: between(0, ms), do: 'payroll' });
  if (random() < 0.2) steps.push(...killedWhileDraining(random, { pick, between, devices }, ms));
  const tablesRestMs = pick([1000, minute]);
  return { seed, devices, ms, tablesRestMs, steps: steps.sort((a, b) => a.at - b.at) };
}

/** A line that is back after a while finds a backlog of logs, and the box dies again and again as they go up. */
function killedWhileDraining(random: Random, { pick, between, devices }: Dice, endMs: number): Step[] {
  const at = between(0, endMs / 2);
  const ms = between(10_000, Math.min(120_000, endMs / 3));
  const kills = [at + ms + between(0, 3000)];
  while (kills.length < 4 && random() < 0.8) kills.push(kills.at(-1)! + between(200, 1200));
  return [
    { at, do: 'line to the cloud', is: 'refused', ms },
    { at, do: 'reset the line to the cloud' },
    { at, do: 'say', device: between(0, devices - 1), kind: 'log', count: between(40, 80) },
    ...kills.map(kill => ({
      ...{ at: kill, do: 'kill' as const },
      ...{ leftover: pick([null, ...leftovers]), downMs: between(1, 500) },
    })),
  ];
}

interface Dice {
  pick<T>(of: readonly T[]): T;
  between(from: number, to: number): number;
  readonly devices: number;
}

const faults: readonly ((random: Random, dice: Dice) => Deed)[] = [
  (random, { pick, between }) => ({
    ...{ do: 'kill', leftover: pick([null, ...leftovers]) },
    downMs: random() < 0.5 ? between(1, 500) : between(500, 40_000),
  }),
  (_, { pick, between }) => ({
    ...{ do: 'cut in a commit', commits: between(0, 20), place: pick(cutPlaces) },
    ...{ leftover: pick(leftovers), downMs: between(100, 20_000) },
  }),
  (_, { between }) => ({ do: 'stop', downMs: between(100, 10_000) }),
  (_, { between }) => ({ do: 'disk full', ms: between(1000, 60_000) }),
  (_, { between }) => ({ do: 'flushes fail', count: between(1, 3) }),
  (_, { between }) => ({ do: 'a flush takes', ms: between(50, 30_000) }),
  (random, { between }) => ({
    do: 'set the clock',
    byMs: random() < 0.5 ? between(-2 * hour, 2 * hour) : between(-400 * 24 * hour, 400 * 24 * hour),
  }),
  (_, { pick, between }) => ({ do: 'cloud', fault: pick(cloudFaults), ms: between(500, 60_000) }),
  (_, { pick, between }) => ({
    ...{ do: 'line to the cloud', is: pick(['refused', 'silent', 'slow']), ms: between(500, 120_000) },
  }),
  () => ({ do: 'reset the line to the cloud' }),
  (random, { between, devices }) => ({
    ...{ do: 'break the line of a device', device: between(0, devices - 1), isSilent: random() < 0.5 },
  }),
];

/** A step in words, a line each. */
export function toldOf({ at, do: what, ...more }: Step): string {
  const facts = Object.entries(more).map(([name, value]) => `${name} ${value}`);
  return `${(at / 1000).toFixed(3).padStart(10)} s  ${what}${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`;
}
