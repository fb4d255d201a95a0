import type { DeviceState } from '../../platform/device-state.ts';
import { drillRowsMax, isPunchDone, type PunchState, punchStates, type TerminalPunch } from '../../platform/drill.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Device, DeviceNo, Seq } from '../../store/index.ts';
import type { FoundPunch } from './punch-watch.ts';

/** A punch, and what became of it. */
export interface Punched extends FoundPunch {
  /** Nothing more will become of it. */
  readonly isSettled: boolean;
  readonly sentAt: UnixMs | null;
  readonly confirmedAt: UnixMs | null;
  /** Why the cloud refused it; empty: it did not. */
  readonly parked: string;
}

interface Around {
  readonly stateOf: (device: Device) => DeviceState;
  readonly upstream: { readonly standsAlone: boolean; whyNot(deviceNo: DeviceNo): string };
  readonly sentAt: (deviceNo: DeviceNo, seq: Seq) => UnixMs | null;
}

/** How each terminal stands. */
export function rowsOf(
  terminals: readonly Device[],
  punched: ReadonlyMap<DeviceNo, Punched>,
  around: Around,
): Map<DeviceNo, TerminalPunch> {
  return new Map(
    terminals.map(device => {
      const punch = punched.get(device.deviceNo);
      return [device.deviceNo, punch ? rowOf(device, punch, around) : withoutPunch(device, around.stateOf(device))];
    }),
  );
}

function rowOf(
  { deviceId, deviceNo }: Device,
  { seq, misfit, parked, isSettled, punchedAt, receivedAt, storedAt, confirmedAt, ...punch }: Punched,
  { upstream, sentAt: noted }: Around,
): TerminalPunch {
  const sentAt = punch.sentAt ?? noted(deviceNo, seq);
  const state: PunchState =
    misfit !== ''
      ? 'bad'
      : parked !== ''
        ? 'parked'
        : isSettled
          ? upstream.standsAlone
            ? 'stored'
            : 'confirmed'
          : sentAt !== null
            ? 'sent'
            : 'waiting';
  const why = misfit || parked || (state === 'sent' || state === 'waiting' ? upstream.whyNot(deviceNo) : '');
  return { deviceId, state, why, punchedAt, receivedAt, storedAt, sentAt, confirmedAt };
}

const withoutPunch = ({ deviceId }: Device, state: DeviceState): TerminalPunch => ({
  deviceId,
  // Those that are blocked or behind a box below are not among the terminals.
  state: state === 'elsewhere' || state === 'blocked' ? 'silent' : state,
  why: '',
  ...{ punchedAt: null, receivedAt: null, storedAt: null, sentAt: null, confirmedAt: null },
});

export function countsOf(rows: Iterable<TerminalPunch>): { known: number; done: number; punched: number } {
  const counts = { known: 0, done: 0, punched: 0 };
  for (const { state, receivedAt } of rows) {
    counts.known++;
    if (isPunchDone(state)) counts.done++;
    else if (receivedAt !== null) counts.punched++;
  }
  return counts;
}

const order = new Map(punchStates.map((state, index) => [state, index]));

/** As many as a result may name: what is wrong first, what is done last. */
export const listedPunches = (rows: Iterable<TerminalPunch>): TerminalPunch[] =>
  [...rows]
    .sort((one, other) => order.get(one.state)! - order.get(other.state)! || (one.deviceId < other.deviceId ? -1 : 1))
    .slice(0, drillRowsMax);
