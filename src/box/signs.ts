import type { Config } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { openLed } from '../operations/index.ts';
import type { BoxState } from '../platform/box-state.ts';
import type { Provisioning } from '../provisioning/index.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import { areInodesLow } from '../runtime/inodes.ts';
import type { Log } from '../runtime/log.ts';
import type { HealthStore, RoomStore } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';

export interface Signed {
  readonly store: HealthStore & RoomStore;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly provisioning: Provisioning;
}

/**
 * The state of the box in one word and in one sentence, for its LED and for systemd's status line.
 */
export interface Signs extends AsyncDisposable {
  /**
   * Ends the state "starting": from now on the state is that of `parts`, until the returned object
   * is disposed.
   */
  follow(parts: Signed): AsyncDisposable;
  /**
   * Turns the state "updating" on or off. While it is on it replaces every other state, also when
   * the box closes.
   */
  updating(on: boolean): void;
  /** The drill of the card waits for a power cut, or no longer. Replaces what `follow` says. */
  pullThePlug(on: boolean): void;
  /** Reads the state from the store. Throws if the store cannot be read or its writer has died. */
  read(): Promise<{ readonly state: BoxState; readonly message: string }>;
}

const lookMs = 3000;

export function openSigns(config: Config, { clock, log }: { clock: Clock; log: Log }): Signs {
  const { led: folder } = config.box;
  const led = folder === undefined ? null : openLed({ folder, clock, log });
  let followed: Signed | null = null;
  let updates = false;
  let pulls = false;
  const read = async () => {
    const signs = followed === null ? ({ state: 'starting', message: 'starting' } as const) : await signsOf(followed);
    if (updates) return { state: 'updating', message: 'updating' } as const;
    return pulls ? ({ state: 'pull the plug', message: 'a drill: pull the plug now' } as const) : signs;
  };
  const look = async () => {
    if (led)
      led.show(
        await read().then(
          ({ state }) => state,
          () => 'needs attention',
        ),
      );
  };
  const dark = async () => {
    if (!updates) await led?.[Symbol.asyncDispose]();
  };
  return {
    read,
    follow(signed) {
      followed = signed;
      const looking =
        led && new BackgroundJob({ clock, everyMs: lookMs, retryMs: () => lookMs, run: look, onFailed: () => {} });
      return {
        async [Symbol.asyncDispose]() {
          await looking?.[Symbol.asyncDispose]();
          await dark();
        },
      };
    },
    updating(on) {
      updates = on;
      void look();
    },
    pullThePlug(on) {
      if (pulls === on) return;
      pulls = on;
      void look();
    },
    [Symbol.asyncDispose]: dark,
  };
}

const beingSetUp: ReadonlySet<string> = new Set(['opening', 'open', 'trying']);

async function signsOf({
  store,
  devices,
  upstream,
  provisioning,
}: Signed): Promise<{ state: BoxState; message: string }> {
  const health = store.health();
  if (health.isDead) throw new Error(health.why);
  const { uplink, outbox } = await upstream.status();
  const { online } = devices.status();
  const there = `${online} ${online === 1 ? 'device' : 'devices'} online`;
  if (health.state !== 'ok')
    return { state: 'needs attention', message: `${there}; nothing is acknowledged: ${health.why}` };
  if (health.unreadable)
    return {
      state: 'needs attention',
      message: `${there}; the disk cannot be read in places: make a backup now and change the card`,
    };
  if (health.isUnwritable)
    return {
      state: 'needs attention',
      message: `${there}; the disk cannot be written in places: make a backup now and change the card`,
    };
  const room = store.room();
  if (areInodesLow(room.inodes))
    return {
      state: 'needs attention',
      message: `${there}; the disk can hold few more files (${room.inodes.free} inodes): remove some`,
    };
  if (room.isLow)
    return {
      state: 'needs attention',
      message: `${there}; the disk is nearly full${daysOf(room.daysLeft)}: make room`,
    };
  const waits = outbox.waiting === 0 ? 'nothing waits' : `${outbox.waiting} wait`;
  if (upstream.takenOver().length > 0)
    return { state: 'needs attention', message: `${there}; somebody else logs in to the cloud as this box, ${waits}` };
  if (uplink.state === 'refused')
    return { state: 'needs attention', message: `${there}; the cloud refuses this box, ${waits}` };
  if (beingSetUp.has(provisioning.report().mode))
    return { state: 'setting up', message: `${there}; to be set up by a phone` };
  if (uplink.state === 'none') return { state: 'ok', message: `${there}; stands alone` };
  if (uplink.state === 'standby') return { state: 'ok', message: `${there}; another process forwards, ${waits}` };
  if (uplink.state === 'up') return { state: 'ok', message: `${there}; cloud connected, ${waits}` };
  return { state: 'cloud away', message: `${there}; cloud away, ${waits}` };
}

const daysOf = (days: number | null): string => (days === null ? '' : `, in ${days} ${days === 1 ? 'day' : 'days'}`);
