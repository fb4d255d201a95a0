import { BackgroundJob } from '../runtime/background-job.ts';
import type { UnixMs } from '../runtime/clock.ts';
import { localDays } from '../runtime/wall-time.ts';
import { aborted } from '../runtime/within.ts';
import type { BackupCopy } from '../store/index.ts';
import { backUpOnce, type RunOptions, type RunStep } from './run.ts';
import { nextRun, tooOldMs } from './schedule.ts';
import { type BackupSettings, inForce, keepOf, scheduleOf, type TargetName, targetsIn } from './settings.ts';
import { SftpLogin } from './sftp-login.ts';
import { SftpSetup } from './sftp-setup.ts';
import type { TargetFailed } from './target-failed.ts';
import { isDrillDue, stateAfter, type TargetState, untried } from './target-state.ts';
import type { LineAbove } from './targets/above.ts';
import { targetOf } from './targets/open.ts';
import type { Target } from './targets/target.ts';
import { whyUnusable } from './try-target.ts';

interface BackupsOptions extends RunOptions {
  readonly timeZone: () => string;
  /** Settings of the config, which the page cannot change. */
  readonly fixed: BackupSettings;
  /** The line to the box above; null: no Gatehouse stands above. */
  readonly above: LineAbove | null;
  /** Called after a copy was verified. */
  readonly onGood: (bytes: number) => Promise<void>;
}

interface TargetReport extends TargetState {
  readonly name: TargetName;
  readonly where: string;
  readonly isFixed: boolean;
  /** Mount at the target, for people; null if nothing is mounted or the target is no mount. */
  readonly holds: string | null;
  /** Newest first. */
  readonly copies: readonly BackupCopy[];
}

export interface BackupsReport {
  readonly running: { readonly since: UnixMs; readonly step: RunStep; readonly target: TargetName | null } | null;
  /** Time of the next run; null without a target. */
  readonly nextAt: UnixMs | null;
  /** When the last copy was verified at any target. */
  readonly lastGoodAt: UnixMs | null;
  /** After so long without a good one the alert opens. */
  readonly tooOldMs: number;
  readonly targets: readonly TargetReport[];
}

export interface Backups extends AsyncDisposable {
  report(): Promise<BackupsReport>;
  /** The settings: those of the config, and those that were chosen on the page. */
  settings(): { readonly fixed: BackupSettings; readonly chosen: BackupSettings };
  /** Replaces what was chosen on the page. */
  choose(chosen: BackupSettings): Promise<void>;
  /** Begins a run, to one target or to all; false: one is under way, or there is no such target. */
  backUpNow(only?: string): boolean;
  /** Writes a small file there and removes it. Null: it can be used, or there is no such target. */
  tryTarget(name: TargetName): Promise<TargetFailed | null>;
  /** Keys by which the box and the SFTP server know each other. */
  readonly sftp: SftpSetup;
}

interface Kept {
  /** When the last run began; null: none did. */
  readonly begunAt: UnixMs | null;
  readonly targets: { readonly [Name in TargetName]?: TargetState };
  /** Runs in a row in which a target failed. */
  readonly failures: number;
}

const lookMs = 30_000;
const minuteMs = 60_000;
/** A failed run is tried again after so long, and then twice as long, until the next one is due. */
const retryMs = 15 * minuteMs;
const keys = { settings: 'settings', state: 'state' };

/** Makes backups when they are due, one run at a time. */
export async function openBackups(options: BackupsOptions): Promise<Backups> {
  const { read } = options.store;
  const chosen = parsed<BackupSettings>(await read.backupSetting(keys.settings)) ?? {};
  const kept = parsed<Kept>(await read.backupSetting(keys.state)) ?? { begunAt: null, targets: {}, failures: 0 };
  return new OpenBackups(options, chosen, kept, await SftpLogin.open(options.store));
}

class OpenBackups implements Backups {
  readonly #options: BackupsOptions;
  readonly #job: BackgroundJob;
  /** Runs count from here if there was none: the first one waits for its time. */
  #openedAt: UnixMs;
  #chosen: BackupSettings;
  #kept: Kept;
  readonly #login: SftpLogin;
  readonly sftp: SftpSetup;
  /** Target that a person asked for. */
  #asked: TargetName | 'all' | null = null;
  #running: BackupsReport['running'] = null;

  constructor(options: BackupsOptions, chosen: BackupSettings, kept: Kept, login: SftpLogin) {
    this.#options = options;
    this.#login = login;
    this.sftp = new SftpSetup({
      ...{ login, clock: options.clock, dataDir: options.dataDir, epoch: options.store.epoch },
      settings: () => this.#settings().sftp,
    });
    this.#chosen = chosen;
    this.#kept = kept;
    this.#openedAt = options.clock.now();
    this.#job = new BackgroundJob({
      clock: options.clock,
      everyMs: lookMs,
      retryMs: () => lookMs,
      firstAfterMs: lookMs,
      run: signal => this.#look(signal),
      onFailed: error => options.log.warn({ error: String(error) }, 'backups_not_checked'),
    });
  }

  settings() {
    return { fixed: this.#options.fixed, chosen: this.#chosen };
  }

  async choose(chosen: BackupSettings): Promise<void> {
    await this.#options.store.write.putBackupSetting({ key: keys.settings, value: JSON.stringify(chosen) });
    this.#chosen = chosen;
  }

  backUpNow(only = 'all'): boolean {
    const names = targetsIn(this.#settings());
    const asked = only === 'all' ? only : names.find(name => name === only);
    if (this.#running || names.length === 0 || asked === undefined) return false;
    this.#asked = asked;
    this.#running = { since: this.#options.clock.now(), step: 'making', target: null };
    this.#job.poke();
    return true;
  }

  async tryTarget(name: TargetName): Promise<TargetFailed | null> {
    const settings = this.#settings();
    if (settings[name] === undefined) return null;
    const { clock, dataDir, store } = this.#options;
    return whyUnusable(this.#target(name, settings), { dataDir, clock, epoch: store.epoch });
  }

  async report(): Promise<BackupsReport> {
    const { store, fixed } = this.#options;
    const settings = this.#settings();
    const copies = await store.read.backupCopies();
    const targets: TargetReport[] = [];
    for (const name of targetsIn(settings)) {
      const target = this.#target(name, settings);
      const { where } = target;
      const isKnown = this.#isOf(name, where);
      targets.push({
        ...(isKnown ? (this.#kept.targets[name] ?? untried) : untried),
        ...{ name, where, isFixed: fixed[name] !== undefined, holds: (await target.holds?.()) ?? null },
        copies: isKnown ? copies.filter(copy => copy.target === name) : [],
      });
    }
    const good = targets.flatMap(({ lastGoodAt }) => lastGoodAt ?? []);
    return {
      running: this.#running,
      nextAt: targets.length === 0 ? null : this.#dueAt(),
      lastGoodAt: good.length === 0 ? null : Math.max(...good),
      tooOldMs: tooOldMs(scheduleOf(settings)),
      targets,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.sftp[Symbol.dispose]();
    return this.#job[Symbol.asyncDispose]();
  }

  #target(name: TargetName, settings: BackupSettings): Target {
    const { dataDir, clock, above } = this.#options;
    return targetOf(name, settings, { dataDir, clock, above, sftpKeys: sftp => this.#login.keysFor(sftp) });
  }

  /** Whether what is kept of a target is about this place. */
  #isOf(name: TargetName, where: string): boolean {
    return (this.#kept.targets[name]?.where ?? where) === where;
  }

  /**
   * Forgets copies at targets that have changed: they stay, and this box no longer deletes any of
   * them.
   */
  async #forgetOtherPlaces(targets: ReadonlyMap<TargetName, Target>): Promise<void> {
    const { store } = this.#options;
    for (const [name, { where }] of targets) {
      if (this.#isOf(name, where)) continue;
      for (const { target, name: file } of await store.read.backupCopies())
        if (target === name) await store.write.removeBackupCopy({ target, name: file });
      await this.#keep({ ...this.#kept, targets: { ...this.#kept.targets, [name]: { ...untried, where } } });
    }
  }

  #settings(): BackupSettings {
    return inForce(this.#options.fixed, this.#chosen);
  }

  /** When the next run begins: by the schedule, or earlier if the last one failed. */
  #dueAt(): UnixMs {
    const { begunAt, failures } = this.#kept;
    const planned = nextRun(scheduleOf(this.#settings()), this.#options.timeZone(), begunAt ?? this.#openedAt);
    if (begunAt === null || failures === 0) return planned;
    return Math.min(planned, begunAt + retryMs * 2 ** Math.min(failures - 1, 8));
  }

  /**
   * After a clock that was ahead was set right, the schedule counts from now on, not from the
   * future.
   */
  async #rightTimes(): Promise<void> {
    const now = this.#options.clock.now();
    this.#openedAt = Math.min(this.#openedAt, now);
    const { begunAt } = this.#kept;
    if (begunAt !== null && begunAt > now) await this.#keep({ ...this.#kept, begunAt: now });
  }

  async #look(signal: AbortSignal): Promise<void> {
    await this.#rightTimes();
    const settings = this.#settings();
    const asked = this.#asked;
    const all = targetsIn(settings);
    const isOne = asked !== null && asked !== 'all';
    const names = isOne ? all.filter(name => name === asked) : all;
    const isDue = names.length > 0 && (asked !== null || this.#dueAt() <= this.#options.clock.now());
    this.#asked = null;
    try {
      // A run that hangs in a system call of a dead share must not hold up the end of the box.
      if (isDue)
        await Promise.race([
          this.#run(settings, names, isOne, signal),
          aborted(signal).then(() => Promise.reject(signal.reason)),
        ]);
    } finally {
      this.#running = null;
    }
  }

  /** `isExtra`: to one target alone, beside the schedule, which takes no notice of it. */
  async #run(
    settings: BackupSettings,
    names: readonly TargetName[],
    isExtra: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, store, log } = this.#options;
    const since = clock.now();
    const dayOf = localDays(this.#options.timeZone());
    this.#running = { since, step: 'making', target: null };
    // Kept before it begins: a run that ends the process is not begun again at each start.
    const { begunAt, failures } = this.#kept;
    if (!isExtra) await this.#keep({ ...this.#kept, begunAt: since, failures: failures + 1 });
    const places = new Map(names.map(name => [name, this.#target(name, settings)]));
    await this.#forgetOtherPlaces(places);
    const outcomes = await backUpOnce(
      this.#options,
      {
        targets: places,
        keep: keepOf(settings),
        withFiles: settings.with_files ?? false,
        dayOf,
        isDrillDue: name => isDrillDue(this.#kept.targets[name] ?? untried, since),
        onStep: (step, target) => {
          this.#running = { since, step, target };
        },
      },
      signal,
    );
    const now = clock.now();
    const targets = { ...this.#kept.targets };
    for (const [name, outcome] of outcomes)
      targets[name] = { ...stateAfter(targets[name] ?? untried, outcome, now), where: places.get(name)!.where };
    const isGood = [...outcomes.values()].every(({ failure }) => failure === null);
    const counted = isExtra ? { begunAt, failures } : { begunAt: since, failures: isGood ? 0 : failures + 1 };
    await this.#keep({ ...counted, targets });
    const good = (await store.read.backupCopies()).find(({ verifiedAt }) => verifiedAt !== null && verifiedAt >= since);
    if (!good) return;
    await this.#options.onGood(good.bytes);
    log.info({ targets: [...outcomes.keys()].join(' '), ms: now - since }, 'backup_written');
  }

  async #keep(kept: Kept): Promise<void> {
    this.#kept = kept;
    await this.#options.store.write.putBackupSetting({ key: keys.state, value: JSON.stringify(kept) });
  }
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));
