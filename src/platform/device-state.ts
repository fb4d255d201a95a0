/**
 * The state of a known device, as every page, `status` and `/metrics` show it. Each device is in
 * exactly one of them, so that the counts of all states add up to the known devices.
 */
export const deviceStates = ['online', 'held_back', 'refused', 'elsewhere', 'silent', 'never', 'blocked'] as const;
export type DeviceState = (typeof deviceStates)[number];
export type DeviceStateCounts = Readonly<Record<DeviceState, number>>;

export interface DeviceFacts {
  /** By staff, or by the site file. */
  readonly isBlocked: boolean;
  /** Whether it has a session at one of the gateways. */
  readonly isOnline: boolean;
  /**
   * Whether it is offline because the box accepts nothing, or did not until a quarter of an hour
   * ago.
   */
  readonly isHeldBack: boolean;
  /** A login was refused within the last day, and none was let in since. */
  readonly isRefused: boolean;
  /** Its records come through a box below: only that box knows whether it is there. */
  readonly isElsewhere: boolean;
  /** Whether it has ever connected, or a record of it has ever arrived. */
  readonly wasHere: boolean;
}

/** The first that applies. */
export function deviceState(facts: DeviceFacts): DeviceState {
  if (facts.isBlocked) return 'blocked';
  if (facts.isOnline) return 'online';
  if (facts.isHeldBack) return 'held_back';
  if (facts.isRefused) return 'refused';
  if (facts.isElsewhere) return 'elsewhere';
  return facts.wasHere ? 'silent' : 'never';
}

/** How many of these are in each state. */
export function countStates(states: Iterable<DeviceState>): DeviceStateCounts {
  const counts = { online: 0, held_back: 0, refused: 0, elsewhere: 0, silent: 0, never: 0, blocked: 0 };
  for (const state of states) counts[state]++;
  return counts;
}
