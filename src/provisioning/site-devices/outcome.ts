import type { DeviceId } from '../../platform/device-id.ts';
import type { SetupResult } from '../../platform/setup-result.ts';
import type { RunContext } from './context.ts';
import { type OnEvent, stepOf } from './events.ts';
import { SiteDeviceFailure } from './failure.ts';

/** SPEC 8: how long the app asks whether the device is connected. */
export const outcomeMs = 120_000;
const lookMs = 500;

export interface Heard {
  /** Announced result; null if nothing was announced. */
  readonly result: SetupResult | null;
  readonly by: 'bluetooth' | 'udp' | 'online' | null;
  /** The device came online at this box. */
  readonly online: boolean;
}

interface Waiting {
  /** Device id; null if it is unknown and only Bluetooth can tell. */
  readonly deviceId: DeviceId | null;
  /** Answer over Bluetooth; null if the device does not answer that way. */
  readonly bluetooth: Promise<SetupResult> | null;
  /** Results by UDP from before the settings were sent. */
  readonly udp: Promise<SetupResult>;
  readonly wasOnline: boolean;
}

/**
 * Waits for the outcome of settings that were sent: a result over Bluetooth or UDP, whichever is
 * first, and the device online at this box; at most 120 s (SPEC 8). A failure ends it at once;
 * after a success it waits until the device connects here.
 */
export async function awaitOutcome(
  context: RunContext,
  { deviceId, bluetooth, udp, wasOnline }: Waiting,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<Heard> {
  const { clock } = context;
  const end = clock.monotonic() + outcomeMs;
  let result: SetupResult | null = null;
  let by: Heard['by'] = null;
  let failure: unknown;
  const { promise: news, resolve: wake } = Promise.withResolvers<void>();
  const hear = (heard: SetupResult, way: 'bluetooth' | 'udp') => {
    if (result) return;
    result = heard;
    by = way;
    wake();
  };
  void udp.then(heard => hear(heard, 'udp'));
  bluetooth?.then(
    heard => hear(heard, 'bluetooth'),
    error => {
      if (signal.aborted || result) return;
      const left = error instanceof SiteDeviceFailure && (error.code === 'gone' || error.code === 'adapter_gone');
      if (left) return onEvent(stepOf('note', 'bluetooth_ended_after_settings'));
      failure = error;
      wake();
    },
  );
  let announced = false;
  for (;;) {
    const came = deviceId !== null && !wasOnline && context.isOnline(deviceId);
    if (came) return { result, by: by ?? 'online', online: true };
    if (failure !== undefined) throw failure;
    // Assigned in the callbacks above, which the compiler does not see.
    const known = result as SetupResult | null;
    if (known && known.status !== 0) return { result: known, by, online: false };
    if (known && wasOnline) return { result: known, by, online: true };
    if (known && !announced) {
      announced = true;
      onEvent(stepOf('waiting', 'says_connected'));
    }
    const left = end - clock.monotonic();
    if (left <= 0 || (known && deviceId === null)) return { result: known, by, online: false };
    const nap = clock.sleep(Math.min(lookMs, left), signal);
    await (known || failure !== undefined ? nap : Promise.race([nap, news]));
    nap.catch(() => {});
  }
}
