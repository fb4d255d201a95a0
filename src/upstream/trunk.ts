import type { DeviceNo } from '../store/index.ts';
import type { Flights } from './flights.ts';
import type { Lane } from './lane.ts';
import type { CloudSession } from './session.ts';
import type { Transport } from './transport.ts';

/** A session with the lanes that go over it: one lane in mode per-device, all of them in mode gateway. */
export interface Trunk {
  readonly session: CloudSession<Transport>;
  readonly flights: Flights;
  /** Lanes that found no room. */
  readonly waiting: Set<Lane>;
  readonly lanes: Map<DeviceNo, Lane>;
  /** Connects again; nothing that was under way is blamed for it. */
  readonly drop: (why: string) => void;
}

/** Each that waits once at the most: one that finds no room again waits behind the others. */
export function pumpWaiting(waiting: Set<Lane>, flights: Flights): void {
  for (let left = waiting.size; left > 0 && flights.hasRoom; left--) {
    const lane = waiting.values().next().value!;
    waiting.delete(lane);
    lane.pump();
  }
}
