import type { RegionCase, RegionMeasured } from './processes.ts';

/** What was measured, as `bench/region/figures.json` holds it. */
export interface Figures {
  /** The day. */
  readonly measured: string;
  readonly on: string;
  /** The load averages meanwhile, the least and the most: of this and of other work. */
  readonly busy: string;
  readonly rounds: number;
  /** That shared its cores with PostgreSQL and the load. */
  readonly processes: number;
  readonly cases: Readonly<Record<RegionCase, RegionMeasured>>;
}

/** What a site is assumed to do, and what is left free. */
export interface Assumed {
  readonly sites: number;
  readonly people: number;
  readonly checkInsOfPerson: number;
  readonly devices: number;
  readonly logsOfDevice: number;
  /** Of the check-ins of a day, in its busiest half hour. */
  readonly inBusiestHalfHour: number;
  /** Over which the logs are spread. */
  readonly hoursOfLogs: number;
  /** Of a core, at the busiest time. */
  readonly usedAtMost: number;
  /** Processor time of a record on the machines there, as a multiple of the measured one. */
  readonly processorTimes: number;
  /** Bytes of a record on disk and in the write-ahead log, beyond the measured ones. */
  readonly moreBytes: number;
  /** Capacity of the parts that all processes share, as a multiple of the measured records. */
  readonly limitTimes: number;
}

const site = {
  ...{ sites: 10_000, people: 50, checkInsOfPerson: 4, devices: 5, logsOfDevice: 500 },
  ...{ inBusiestHalfHour: 0.4, hoursOfLogs: 12, usedAtMost: 0.5 },
};

/** Older processors, records that compress badly, a standby that each commit waits for. */
export const worst: Assumed = { ...site, processorTimes: 1.5, moreBytes: 300, limitTimes: 0.5 };
/** Newer processors, and machines that neither the load nor the others share. */
export const best: Assumed = { ...site, processorTimes: 0.7, moreBytes: 0, limitTimes: 2 };

/** How often a box asks for messages. */
const pullEverySeconds = 5;
/** One for its batches, one for its pulls. */
const connectionsOfSite = 2;
/** Of an idle connection over TLS: `memory` of docs/performance.md. */
const connectionKiB = 43;
/** A process that can be missed: the others carry the load alone. */
const spare = 1;

export interface Rates {
  readonly checkIns: number;
  readonly logs: number;
  readonly pulls: number;
}

/** A second, at the busiest time. */
export const busiest = (of: Assumed): Rates => ({
  checkIns: (of.sites * of.people * of.checkInsOfPerson * of.inBusiestHalfHour) / 1800,
  logs: (of.sites * of.devices * of.logsOfDevice) / (of.hoursOfLogs * 3600),
  pulls: of.sites / pullEverySeconds,
});

/** A day. */
export const daily = (of: Assumed): Pick<Rates, 'checkIns' | 'logs'> => ({
  checkIns: of.sites * of.people * of.checkInsOfPerson,
  logs: of.sites * of.devices * of.logsOfDevice,
});

type Cost = 'nodeMicroseconds' | 'postgresMicroseconds' | 'logBytes' | 'diskBytes';

/**
 * Of records that come alone, each in a batch: a site has one in several seconds, and a box waits
 * for one second for more. A lone log was measured; a check-in costs as in a full batch, and the
 * batch what a lone log costs more than one of many.
 */
export function costOf({ cases }: Figures, rates: Pick<Rates, 'checkIns' | 'logs'>, cost: Cost): number {
  const batch = Math.max(0, cases.lone[cost] - cases.logs[cost]);
  return rates.logs * cases.lone[cost] + rates.checkIns * (cases.checkins[cost] + batch);
}

/** Cores at the busiest time, all in use. */
export function cores(figures: Figures, of: Assumed, cost: 'nodeMicroseconds' | 'postgresMicroseconds'): number {
  const rates = busiest(of);
  return (of.processorTimes * (costOf(figures, rates, cost) + rates.pulls * figures.cases.pulls[cost])) / 1e6;
}

export interface Limit {
  readonly what: string;
  readonly needed: number;
  /** The most that was measured, with the load on the same cores. */
  readonly measured: number;
}

/** What all processes share, and more of them do not raise: the nearest first. */
export function limits({ cases }: Figures, of: Assumed): readonly Limit[] {
  const { checkIns, logs } = busiest(of);
  const all = [
    {
      what: 'batches of one record wait for the end of the journal',
      needed: checkIns + logs,
      measured: cases.lone.perSecond,
    },
    {
      what: 'check-ins wait for the process that fills the tables',
      needed: checkIns,
      measured: cases.checkins.perSecond,
    },
    { what: 'logs wait for the process that fills the tables', needed: logs, measured: cases.logs.perSecond },
  ];
  return all.sort((one, other) => other.needed / other.measured - one.needed / one.measured);
}

/** How many sites it takes until a limit is reached. */
export const sitesAt = ({ needed, measured }: Limit, of: Assumed): number =>
  (of.sites * measured * of.limitTimes) / needed;

export interface Needs {
  readonly processes: number;
  readonly nodeCores: number;
  readonly postgresCores: number;
  readonly diskGBPerDay: number;
  readonly logGBPerDay: number;
  readonly connections: number;
  readonly connectionsGB: number;
}

export function needs(figures: Figures, of: Assumed): Needs {
  const nodeCores = cores(figures, of, 'nodeMicroseconds') / of.usedAtMost;
  const connections = of.sites * connectionsOfSite;
  const { checkIns, logs } = daily(of);
  const more = (checkIns + logs) * of.moreBytes;
  return {
    // A process is counted as one core: its threads wait for each other and for the server.
    processes: Math.max(1, Math.ceil(nodeCores)) + spare,
    nodeCores,
    postgresCores: cores(figures, of, 'postgresMicroseconds') / of.usedAtMost,
    diskGBPerDay: (costOf(figures, daily(of), 'diskBytes') + more) / 1e9,
    logGBPerDay: (costOf(figures, daily(of), 'logBytes') + more) / 1e9,
    connections,
    connectionsGB: (connections * connectionKiB * 1024) / 1e9,
  };
}
