import { type Config, deviceUrls, hasLine } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import { type DoctorOptions, examine, type RadioState } from '../operations/index.ts';
import type { Check, DoctorRun } from '../platform/checks.ts';
import { lookAtRadios } from '../provisioning/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { trustOf, tryLoginAt, type Upstream } from '../upstream/index.ts';
import { platformLogin } from './provisioning.ts';
import { upstreamConfig } from './uplink.ts';
import { usedTwiceOf } from './warnings.ts';

/** Parts of a running box that the checks need. A stopped box has none of them. */
interface DoctorParts {
  readonly upstream: Upstream;
  /** Null in a region. */
  readonly backups: DoctorOptions['backups'];
  readonly health: DoctorOptions['health'];
  readonly devices: Pick<Devices, 'usedTwice'>;
}

type OnCheck = (check: Check) => Promise<void> | void;

/** Runs the checks of `gatehouse doctor` and of the network test, one run at a time. */
export class Doctor {
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #parts: DoctorParts | null;
  readonly #certificate: () => string | null;
  #running = false;

  constructor(config: Config, clock: Clock, certificate: () => string | null, parts: DoctorParts | null = null) {
    this.#config = config;
    this.#clock = clock;
    this.#certificate = certificate;
    this.#parts = parts;
  }

  /**
   * Calls `onCheck` for each finished check. Resolves to false if another run is still going on.
   */
  run(what: DoctorRun, onCheck: OnCheck, signal?: AbortSignal): Promise<boolean> {
    return this.#examine(what, this.#options(), onCheck, signal);
  }

  /** The same for the devices' way to the cloud of another config, of which nothing stays. */
  tryCloud(config: Config, onCheck: OnCheck, signal?: AbortSignal): Promise<boolean> {
    const { upstream } = config;
    const trust = trustOf(upstream?.ca);
    const cloud = upstreamConfig(config);
    const lines = deviceUrls(upstream);
    const login = cloud && platformLogin(config, { tryLogin: tryLoginAt(cloud, trust, this.#clock) });
    const of = { lines, upstreams: oncePerPlace(lines, lines), trust: trust.context, login };
    return this.#examine('network', { ...this.#options(), ...of }, onCheck, signal);
  }

  async #examine(
    what: DoctorRun,
    options: DoctorOptions,
    onCheck: OnCheck,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (this.#running) return false;
    this.#running = true;
    try {
      for await (const check of examine(what, options)) {
        if (signal?.aborted) break;
        await onCheck(check);
      }
      return true;
    } finally {
      this.#running = false;
    }
  }

  #options(): DoctorOptions {
    const { upstream } = this.#config;
    const lines = deviceUrls(upstream);
    const others = [upstream?.oauth, upstream?.psp?.url, upstream?.attendance?.url].filter(url => url !== undefined);
    const parts = this.#parts;
    return {
      clock: this.#clock,
      upstreams: oncePerPlace([...lines, ...others], lines),
      lines,
      trust: trustOf(upstream?.ca).context,
      login: parts && hasLine(this.#config) ? platformLogin(this.#config, parts.upstream) : null,
      timeZone: this.#config.site.timezone,
      dataDir: this.#config.data_dir,
      files: this.#config.store.files ?? null,
      environment: this.#config.environment,
      certificate: this.#certificate(),
      hasLegacySuites: this.#config.tls?.legacy_suites === 'on',
      health: parts?.health ?? null,
      usedTwice: parts && (() => parts.devices.usedTwice().map(usedTwiceOf)),
      backups: parts?.backups ?? null,
      radios: () => radiosOf(this.#config, this.#clock),
    };
  }
}

/** Keeps one URL for each host and port: the services of one cloud often share them. */
function oncePerPlace(urls: readonly string[], kept: readonly string[]): string[] {
  const places = new Set<string>();
  return urls.filter(url => {
    const { protocol, host } = new URL(url);
    const place = `${protocol}//${host}`;
    const known = places.has(place);
    places.add(place);
    return !known || kept.includes(url);
  });
}

async function radiosOf(
  { provisioning: { bluetooth, wifi } }: Config,
  clock: Clock,
): Promise<Record<'bluetooth' | 'wifi', RadioState>> {
  const asked = bluetooth !== 'off' || (wifi !== 'off' && wifi !== 'simulated');
  const found = asked ? await lookAtRadios(clock) : null;
  return {
    bluetooth: bluetooth === 'off' || !found ? 'off' : found.bluetooth,
    wifi: wifi === 'simulated' ? 'simulated' : wifi === 'off' || !found ? 'off' : found.wifi,
  };
}
