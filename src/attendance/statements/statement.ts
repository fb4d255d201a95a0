import type { ClockWords } from '../../platform/device-clock.ts';
import type { DeviceFacts, StatementFacts } from '../../store/index.ts';

/**
 * Statements as they are written, hashed and read by others (docs/operating.md describes the
 * fields). Whole numbers only; a field that is absent is 0 or unknown.
 */
type DeviceStatement = {
  readonly kind: 'device';
  readonly no: number;
  readonly day: string;
  readonly device: string;
  /** `said` counts by the device's own numbers, or only what arrived. */
  readonly said_by: 'its numbers' | 'records received';
  readonly said: number;
  readonly box: number;
  readonly refused: number;
  readonly refused_messages?: number;
  readonly unreadable?: number;
  readonly missing: number;
  readonly numbers?: {
    readonly from: number;
    readonly to: number;
    readonly gaps: readonly (readonly [number, number])[];
    readonly earlier: number;
    readonly restarted: boolean;
  };
  /** The last of its numbers so far; null: it is not known to count. */
  readonly last_number: number | null;
  readonly repeats: number;
  readonly repeated?: readonly (readonly [seq: number, of: number])[];
  readonly first: number | null;
  readonly last: number | null;
  readonly late: number;
  readonly late_most_s?: number;
  readonly earlier_days?: Readonly<Record<string, number>>;
  readonly clock: {
    readonly state: ClockWords['state'];
    readonly offset_s: number | null;
    readonly within_s: number | null;
  };
  /** Confirmed records; null if the box has no cloud, so that nothing is carried either. */
  readonly cloud: number | null;
  readonly parked: number;
  readonly brought: number;
  readonly waiting: number;
  /** Carried forward the day before, and neither confirmed, parked nor waiting any more. */
  readonly lost?: number;
  readonly cloud_seq: number | null;
};

type DayStatement = {
  readonly kind: 'day';
  readonly no: number;
  readonly day: string;
  readonly timezone: string;
  readonly made_at: number;
  readonly after_seq: number;
  readonly through_seq: number;
  readonly dropped: number;
  readonly damaged: number;
  readonly devices: number;
  readonly said: number;
  readonly box: number;
  readonly refused: number;
  readonly missing: number;
  readonly repeats: number;
  readonly cloud: number | null;
  readonly parked: number;
  readonly brought: number;
  readonly waiting: number;
};

export type Statement = DayStatement | DeviceStatement;
export type { DayStatement, DeviceStatement };

/** Which statement it becomes, and what the journal and the statement before say of it. */
interface Making {
  readonly no: number;
  readonly day: string;
  readonly timeZone: string;
  readonly madeAt: number;
  readonly after: number;
  /** The statement before, by device. */
  readonly before: ReadonlyMap<string, DeviceStatement>;
}

/** The statements of one day: of the box, then of each device. */
export function statementsOf(facts: StatementFacts, making: Making): [DayStatement, ...DeviceStatement[]] {
  const { no, day, timeZone, madeAt, after } = making;
  const devices = facts.devices.map(device => deviceStatement(device, making));
  const sum = (field: 'said' | 'box' | 'refused' | 'missing' | 'repeats' | 'parked' | 'brought' | 'waiting') =>
    devices.reduce((total, device) => total + device[field], 0);
  const hasCloud = devices.some(({ cloud }) => cloud !== null);
  return [
    {
      kind: 'day',
      ...{ no, day, timezone: timeZone, made_at: madeAt },
      after_seq: after,
      through_seq: facts.through,
      ...{ dropped: facts.dropped, damaged: facts.damaged, devices: devices.length },
      ...{
        said: sum('said'),
        box: sum('box'),
        refused: sum('refused'),
        missing: sum('missing'),
        repeats: sum('repeats'),
      },
      cloud: hasCloud ? devices.reduce((total, { cloud }) => total + (cloud ?? 0), 0) : null,
      ...{ parked: sum('parked'), brought: sum('brought'), waiting: sum('waiting') },
    },
    ...devices,
  ];
}

function deviceStatement(facts: DeviceFacts, { no, day, before }: Making): DeviceStatement {
  const { deviceId: device, box, refused, numbers, clock, cloud } = facts;
  const lastNumber = before.get(device)?.last_number ?? null;
  const counts = numbers !== null || (box + refused === 0 && lastNumber !== null);
  const missing = numbers?.missing ?? 0;
  const brought = cloud?.brought ?? 0;
  const lost = cloud === null ? 0 : (before.get(device)?.waiting ?? 0) - brought;
  return {
    ...{ kind: 'device', no, day, device },
    said_by: counts ? 'its numbers' : 'records received',
    said: box + refused + missing,
    ...{ box, refused, missing, repeats: facts.repeats },
    ...(facts.refusedMessages > 0 && { refused_messages: facts.refusedMessages }),
    ...(facts.unreadable > 0 && { unreadable: facts.unreadable }),
    ...(numbers && { numbers: numbersOf(numbers) }),
    last_number: numbers?.to ?? lastNumber,
    ...(facts.repeated.length > 0 && { repeated: facts.repeated.map(({ seq, of }) => [seq, of] as const) }),
    ...{ first: facts.first, last: facts.last, late: facts.late },
    ...(facts.late > 0 && { late_most_s: facts.lateMost }),
    ...(Object.keys(facts.earlierDays).length > 0 && { earlier_days: facts.earlierDays }),
    clock: { state: clock.state, offset_s: clock.offset, within_s: clock.within },
    ...{ cloud: cloud?.confirmed ?? null, parked: cloud?.parked ?? 0, brought, waiting: cloud?.waiting ?? 0 },
    ...(lost !== 0 && { lost }),
    cloud_seq: cloud?.upToSeq ?? null,
  };
}

const numbersOf = ({ from, to, gaps, earlier, restarted }: NonNullable<DeviceFacts['numbers']>) => ({
  ...{ from, to, gaps, earlier, restarted },
});
