import { join } from 'node:path';
import { BusRefused, BusUnavailable, connectSystemBus, type SystemBus } from '../bus/index.ts';
import { compareVersions } from '../runtime/compare-versions.ts';
import {
  type Coded,
  type GivenReason,
  noWhy,
  type Reason,
  SaidError,
  type Why,
  whyOf,
  withWhy,
} from '../words/sentences.ts';
import { updateEnds, updateRefusals } from '../words/updates.ts';
import { backUp } from './before-update.ts';
import { findBundles, forgetUpload, receiveBundle } from './bundles.ts';
import { machineOf, otherOf, stillInstalling, systemVersion } from './machine.ts';
import type { Updates, UpdatesOptions } from './options.ts';
import type { BundleReport, LastUpdate, UpdateProgress, UpdateReport } from './port.ts';
import { UpdateRefused } from './port.ts';
import { activateOther, compatibleOf, inspect, install, lastErrorOf, reboot, slotsOf } from './rauc.ts';
import { lastOf, programsIn, readNote, writeNote } from './records.ts';
import { writeSafely } from './write-safely.ts';

const { say } = updateRefusals;

/** Leaves time for the answer to go out before the box or the machine goes down. */
const answerMs = 1500;

const followMs = 2000;

/** One update at a time; what must survive the restart is on disk (records.ts). */
export async function openUpdates(options: UpdatesOptions): Promise<Updates> {
  const { dataDir, log, clock } = options;
  const note = await readNote(dataDir);
  const updater = new Updater(options);
  if (note?.outcome === 'installing') {
    if (await stillInstalling(clock)) updater.follow(note);
    else
      await writeNote(dataDir, { ...note, outcome: 'interrupted', ...whyOf(updateEnds.say('update_cut')) }).catch(
        error => log.warn({ error: String(error) }, 'last_update_outcome_not_stored'),
      );
  }
  if (note?.outcome === 'installed') await forgetUpload(dataDir).catch(() => {});
  return updater;
}

class Updater implements Updates {
  readonly #options: UpdatesOptions;
  #shown: UpdateProgress | null = null;
  #starting = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  get #progress(): UpdateProgress | null {
    return this.#shown;
  }

  set #progress(progress: UpdateProgress | null) {
    this.#shown = progress;
    this.#options.underWay(progress !== null);
  }

  async report(): Promise<UpdateReport> {
    const { programDir, dataDir, sticksDir, version } = this.#options;
    const programs = await programsIn(programDir);
    const machine = await this.#withRauc(machineOf).catch(error => {
      if (error instanceof UpdateRefused) return null;
      throw error;
    });
    const booted = machine?.slots.find(slot => slot.booted);
    const system = machine ? await systemVersion(machine.slots) : '';
    const impossible = machine ? null : this.#impossible(noWhy);
    return {
      impossible: impossible?.reason ?? null,
      impossible_said: impossible && codedOf(impossible),
      runs: {
        version,
        program: programs.inForce,
        slot: booted?.bootname ?? null,
        system,
      },
      other: otherOf(programs, machine),
      progress: this.#progress,
      last: lastOf(await readNote(dataDir), programs.judged),
      found: await findBundles(dataDir, sticksDir),
    };
  }

  inspect(file: string): Promise<BundleReport> {
    return this.#withRauc(async bus => {
      const bundle = await inspect(bus, file);
      const compatible = await compatibleOf(bus);
      const kind = bundle.compatible.startsWith('gatehouse-program') ? 'program' : 'image';
      const wanted = kind === 'program' ? `gatehouse-program-${this.#options.processor}` : compatible;
      const { compatible: of } = bundle;
      const refused = of === wanted ? null : say('update_wrong_machine', { compatible: of, machine: wanted });
      const said = { refused: refused?.reason ?? null, refused_said: refused && codedOf(refused) };
      return { file, kind, ...bundle, ...said, olderThan: await this.#olderThan(kind, bundle.version, bus) };
    });
  }

  /** Null also if the running version is unknown: a flashed system that does not report it. */
  async #olderThan(kind: BundleReport['kind'], version: string, bus: SystemBus): Promise<string | null> {
    const runs = kind === 'program' ? this.#options.version : await systemVersion(await slotsOf(bus));
    return runs !== '' && compareVersions(version, runs) < 0 ? runs : null;
  }

  async start(file: string, { allowOlder = false } = {}): Promise<BundleReport> {
    this.#begin();
    try {
      const bundle = await this.inspect(file);
      if (bundle.refused !== null)
        throw new UpdateRefused('wrong_machine', { reason: bundle.refused, ...bundle.refused_said });
      if (bundle.olderThan !== null && !allowOlder)
        throw new UpdateRefused('older', say('update_older', { version: bundle.version, runs: bundle.olderThan }));
      const programs = await programsIn(this.#options.programDir);
      if (programs.onTrial || programs.judged?.outcome === 'trying') throw onTrial();
      const report = await this.report();
      const note: LastUpdate = {
        kind: bundle.kind,
        from: bundle.kind === 'image' ? report.runs.system : report.runs.version,
        to: bundle.version,
        outcome: 'installing',
        ...noWhy,
        at: this.#options.clock.now(),
      };
      this.#progress = { step: 'backup', percent: 0, to: bundle.version };
      void this.#run(file, bundle, note);
      return bundle;
    } finally {
      this.#starting = false;
    }
  }

  async receive(bytes: number, body: AsyncIterable<Uint8Array>): Promise<BundleReport> {
    this.#begin();
    try {
      const file = await receiveBundle(this.#options.dataDir, bytes, body);
      return await this.inspect(file).catch(async error => {
        await forgetUpload(this.#options.dataDir);
        throw error;
      });
    } finally {
      this.#starting = false;
    }
  }

  async rollBack(): Promise<void> {
    const { dataDir, runtimeDir, clock, programDir } = this.#options;
    this.#begin();
    try {
      const programs = await programsIn(programDir);
      const machine = await this.#withRauc(machineOf).catch(() => null);
      const other = otherOf(programs, machine);
      if (!other) throw new UpdateRefused('nothing_before', say('update_nothing_before'));
      const { runs } = await this.report();
      const note: LastUpdate = {
        kind: other.kind,
        from: other.kind === 'image' ? runs.system : runs.version,
        to: other.version,
        outcome: 'rolled-back',
        ...whyOf(updateEnds.say('update_asked_for')),
        at: clock.now(),
      };
      if (other.kind === 'program') {
        if (runtimeDir === null) throw new UpdateRefused('no_rollback', say('update_no_rollback'));
        await writeNote(dataDir, note);
        // gatehouse-rollback.path waits for this file: only root may change which program runs.
        await writeSafely(join(runtimeDir, 'rollback'), '');
      } else {
        await this.#withRauc(activateOther);
        await writeNote(dataDir, note);
        void clock.sleep(answerMs).then(() => this.#reboot(note));
      }
      this.#progress = { step: 'restarting', percent: 100, to: other.version };
    } finally {
      this.#starting = false;
    }
  }

  #begin(): void {
    if (this.#starting || this.#progress) throw new UpdateRefused('busy', say('update_busy'));
    this.#starting = true;
  }

  /**
   * Backs up, installs, restarts; the end of each step is noted before the next begins. Never
   * throws.
   */
  async #run(file: string, bundle: BundleReport, note: LastUpdate): Promise<void> {
    const { dataDir, clock, log, version } = this.#options;
    try {
      await writeNote(dataDir, note);
      const about = { version, now: clock.now(), storeBytes: this.#options.storeBytes() };
      const backup = await backUp(dataDir, about, target => this.#options.backup(target));
      log.info({ backup, version: bundle.version }, 'update_installing');
      this.#progress = { step: 'installing', percent: 0, to: bundle.version };
      const failure = await this.#withBus(bus =>
        install(bus, file, {
          ignoreCompatible: bundle.kind === 'program',
          onProgress: percent => {
            this.#progress = { step: 'installing', percent, to: bundle.version };
          },
        }),
      );
      await this.#installed(failure, note);
    } catch (error) {
      await this.#failed(reasonOf(error as Error), note);
    }
  }

  /** Follows an installation that RAUC continued while the box was restarted. */
  follow(note: LastUpdate): void {
    this.#progress = { step: 'installing', percent: 0, to: note.to };
    void (async () => {
      try {
        while (await stillInstalling(this.#options.clock)) await this.#options.clock.sleep(followMs);
        await this.#installed(await this.#withBus(lastErrorOf), note);
      } catch (error) {
        await this.#failed(reasonOf(error as Error), note);
      }
    })();
  }

  async #installed(failure: GivenReason | null, note: LastUpdate): Promise<void> {
    const { dataDir, clock, log } = this.#options;
    if (failure !== null) throw new SaidError(await this.#reasonOf(failure));
    await this.#settle({ ...note, outcome: 'installed' });
    await forgetUpload(dataDir).catch(() => {});
    log.warn({ version: note.to }, 'update_installed');
    this.#progress = { step: 'restarting', percent: 100, to: note.to };
    await clock.sleep(answerMs);
    if (note.kind === 'image') return await this.#reboot({ ...note, outcome: 'installed' });
    const leave = this.#options.leaver();
    if (leave) return leave();
    await this.#settle({ ...note, outcome: 'installed', ...whyOf(updateEnds.say('update_restart_box')) });
    this.#progress = null;
  }

  async #failed(said: GivenReason, note: LastUpdate): Promise<void> {
    this.#options.log.error({ error: said.reason, version: note.to }, 'update_not_installed');
    await this.#settle({ ...note, outcome: 'failed', ...whyOf(said) });
    this.#progress = null;
  }

  async #settle(note: LastUpdate): Promise<void> {
    await writeNote(this.#options.dataDir, note).catch(error =>
      this.#options.log.warn({ error: String(error) }, 'update_outcome_not_stored'),
    );
  }

  async #reboot(note: LastUpdate): Promise<void> {
    try {
      await this.#withBus(reboot);
    } catch (error) {
      const said = updateEnds.say('update_restart_machine', withWhy(whyOf(reasonOf(error as Error))));
      this.#options.log.error({ error: said.reason }, 'update_waits_for_restart');
      await writeNote(this.#options.dataDir, { ...note, ...whyOf(said) }).catch(() => {});
      this.#progress = null;
    }
  }

  /** RAUC reports only that its handlers failed. */
  async #reasonOf(failure: GivenReason): Promise<GivenReason> {
    if (!/handler/i.test(failure.reason)) return failure;
    const { refused } = await programsIn(this.#options.programDir);
    return refused ?? failure;
  }

  async #withBus<T>(act: (bus: SystemBus) => Promise<T>): Promise<T> {
    using bus = await connectSystemBus(this.#options.clock);
    return await act(bus);
  }

  #impossible(why: Why): Reason {
    return this.#options.isInContainer ? say('update_by_image') : say('update_impossible', withWhy(why));
  }

  /** Throws UpdateRefused where RAUC does not answer. */
  async #withRauc<T>(act: (bus: SystemBus) => Promise<T>): Promise<T> {
    try {
      return await this.#withBus(act);
    } catch (error) {
      if (error instanceof BusUnavailable) throw new UpdateRefused('no_updates', this.#impossible(whyOf(error.said)));
      if (error instanceof BusRefused)
        throw new UpdateRefused('no_updates', say('update_rauc_refuses', { error: error.message }));
      throw error;
    }
  }
}

const reasonOf = (error: Error): GivenReason => (error instanceof SaidError ? error.said : { reason: error.message });

const codedOf = ({ code, params }: Reason): Coded => ({ code, params });

const onTrial = () => new UpdateRefused('on_trial', say('update_on_trial'));
