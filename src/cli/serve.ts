import { statSync } from 'node:fs';
import { openBox, type Restart } from '../box/index.ts';
import { type Config, type Origin, readSiteFile } from '../config/index.ts';
import { askForTime, feedWatchdog, type Notify, settleAfterStart, systemdOf } from '../operations/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import type { Log } from '../runtime/log.ts';
import { realClock, realRandom } from '../runtime/real-world.ts';
import { databaseFile, isResetAsked } from '../store/index.ts';
import { showBanner } from './banner.ts';
import { type Call, type Run, textOption } from './command.ts';
import { loadedConfigOf, zoneInForce } from './config-of.ts';
import { printable } from './printable.ts';
import { type LogLevel, openLog, styleFor } from './system-log.ts';

/**
 * A stop takes at most 10 s (CONTRACT 1). Records that are not acknowledged by then are not lost:
 * the device sends them again.
 */
const stopWithinMs = 9000;
/**
 * With this exit status systemd starts the program that is now installed (RestartForceExitStatus).
 */
const otherProgramStatus = 75;

/** The database of a region is gone: its supervisor starts the process again (sysexits.h). */
const lostStatus = 69;

/** `serve [--config F] [--apply SITE] [--data-dir D]`: runs the box until SIGTERM or SIGINT. */
export const serve: Run = async call => {
  const loaded = loadedConfigOf(call);
  const { config, origin, fileOf } = loaded;
  const siteFile = textOption(call, 'apply');
  const site = siteFile === undefined ? null : readSiteFile(siteFile, call.cwd);
  const log = openLog(
    styleFor(call.env, call.stderr.isTTY === true),
    (textOption(call, 'log-level') ?? 'info') as LogLevel,
    zoneInForce(call, loaded),
    line => void call.stderr.write(printable(line)),
  );
  // Never given back: the process ends here.
  becomeOwner(config.data_dir);
  const stopped = stopAsked(log);
  // Either would end the process. SIGHUP has a meaning once the box is open.
  for (const signal of ['SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  process.on('unhandledRejection', error => dieOf(error, log));
  process.on('uncaughtException', error => dieOf(error, log));

  const notify = systemdOf(call.env);
  let restart: Restart | null = null;
  do {
    restart = await runOnce(call, { config, origin, fileOf, site, siteFile, log, stopped, notify });
  } while (restart === 'same program');
  process.exit(restart === null ? 0 : otherProgramStatus);
};

interface Running {
  readonly config: Config;
  readonly origin: Origin;
  readonly fileOf: ReadonlyMap<string, string>;
  readonly site: ReturnType<typeof readSiteFile> | null;
  readonly siteFile: string | undefined;
  readonly log: Log;
  readonly stopped: Promise<void>;
  readonly notify: Notify;
}

/**
 * Opens the box and closes it on request. Resolves to null if it is to stay closed, otherwise to
 * how it is opened again.
 */
async function runOnce(
  call: Call,
  { config, origin, fileOf, site, siteFile, log, stopped, notify }: Running,
): Promise<Restart | null> {
  const bytes = sizeOf(databaseFile(config.data_dir));
  using starting = await askForTime({ notify, env: call.env, bytes, clock: realClock });
  const box = await openBox(config, { clock: realClock, random: realRandom, log, origin, fileOf }, async admin => {
    if (!site) return;
    const outcome = await admin.apply({ site: site.site, prune: false, dryRun: false });
    if (!outcome.ok) throw site.refused(outcome.problems);
    log.info({ changes: outcome.changes.length }, 'site_file_applied', { file: siteFile! });
  });
  box.provisioning.onNewHotspotKey(({ name, key }) => call.tell(`hotspot ${name} password: ${key}`));
  const setupCode = await box.accounts.setupCode();
  if (setupCode !== null) call.tell(`setup code: ${setupCode}`);
  const restartAsked = new Promise<Restart>(resolve => box.onRestartAsked(resolve));
  call.tell(`ready ${JSON.stringify(box.addresses)}`);
  starting[Symbol.dispose]();
  const look = () => box.lookAtCertificates();
  process.on('SIGHUP', look);
  using _look = { [Symbol.dispose]: () => void process.off('SIGHUP', look) };
  await notify('READY=1');
  using fed = feedWatchdog({
    notify,
    env: call.env,
    clock: realClock,
    log,
    headline: async () => (await box.signs.read()).message,
  });
  using _settling = settleAfterStart(realClock, () => box.store.write.collectGarbage({}));
  using _banner = showBanner(box, config, call.env, log);
  const lost = box.store.lost.then(why => endWithout(why, log));
  const restart = await Promise.race([stopped.then(() => null), restartAsked, lost]);
  fed[Symbol.dispose]();
  if (restart !== 'same program') await notify('STOPPING=1');
  if (restart === 'same program') log.info({}, 'restarting');
  if (restart === 'other program') log.info({}, 'stopping_for_update');
  const closed = await Promise.race([box[Symbol.asyncDispose]().then(() => true), realClock.sleep(stopWithinMs)]);
  // The units that run before the box have their part in a reset, so systemd must start both.
  if (closed === true && restart === 'same program' && isResetAsked(config.data_dir) && call.env.NOTIFY_SOCKET)
    process.exit(0);
  if (closed === true) return restart;
  log.warn({}, 'stop_cut_short');
  // A box that could not close completely cannot be reopened in this process; its supervisor starts
  // a new one.
  process.exit(restart === null ? 0 : restart === 'same program' ? 1 : otherProgramStatus);
}

/** 0 also for a file that may not be looked at: opening the store says why, and what to do. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function stopAsked(log: Log): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        log.info({ signal }, 'stopping');
        resolve();
      });
  });
}

/**
 * Nothing is stored or acknowledged any more, and nothing waits for what was being done: whoever
 * was not answered sends it again. Devices go to another process meanwhile.
 */
function endWithout(why: string, log: Log): never {
  log.error({ why }, 'database_gone');
  process.exit(lostStatus);
}

/** A bug: logged once; then the process exits, so that its supervisor restarts it. */
function dieOf(error: unknown, log: Log): never {
  log.error({ error: error instanceof Error ? error.stack : String(error) }, 'bug');
  process.exit(1);
}
