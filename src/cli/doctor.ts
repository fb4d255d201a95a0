import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BoxClient, BoxEnded, connectAdmin } from '../admin-client/index.ts';
import { Doctor } from '../box/index.ts';
import { type Config, FileRefused } from '../config/index.ts';
import { examineInstalledRegion, installedRegion, isRoot, type RegionCheck } from '../operations/index.ts';
import type { Check, CheckName, CheckState } from '../platform/checks.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Found, found } from '../words/checks.ts';
import { foundInRegion } from '../words/region-findings.ts';
import { type Call, CommandFailed, flag, type Run } from './command.ts';
import { configOf, dataDirOf, zoneInForce } from './config-of.ts';
import { span } from './wording.ts';

/** `doctor [--json]`: what is wrong, and what to do about it. Exit status 1 when a check failed. */
export const doctor: Run = async call => {
  const json = flag(call, 'json');
  const checks: RegionCheck[] = [];
  const onCheck = async (check: RegionCheck) => {
    checks.push(check);
    if (!json) await call.print(inWords(check));
  };
  const running = await boxThatRuns(call);
  const done = await (flag(call, 'region') ? examineAll(call, running, onCheck) : examine(call, running, onCheck));
  if (!done) call.tell('another test is not done yet: try again in a minute');
  const failed = checks.filter(check => check.state === 'failed').length;
  if (json) await call.print(`${JSON.stringify({ running: running !== null, ok: failed === 0, checks }, null, 2)}\n`);
  else await call.print(failed === 0 ? '\nnothing is wrong\n' : `\n${failed} of ${checks.length} checks failed\n`);
  return failed === 0 && done ? 0 : 1;
};

/**
 * Running box; null if none runs, or if the config that locates it is wrong, which doctor reports
 * first.
 */
export async function boxThatRuns(call: Call) {
  try {
    return await connectAdmin(dataDirOf(call));
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}

/** Resolves to whether it was done: false while another examination runs. */
export const examine = (
  call: Call,
  running: BoxClient | null,
  onCheck: (check: Check) => Promise<void>,
): Promise<boolean> => (running ? examineRunning(running, onCheck) : examineStopped(call, onCheck));

/** Checks of a process that a region depends on; the others are those of a box. */
const ofProcess: ReadonlySet<CheckName> = new Set(['disk', 'files']);

/** The region first, then what its process on this machine can see alone. */
async function examineAll(
  call: Call,
  running: BoxClient | null,
  onCheck: (check: RegionCheck) => Promise<void>,
): Promise<boolean> {
  const region = installedRegion();
  if (region === null)
    throw new CommandFailed(
      'this machine is none of a region that `gatehouse region init` has made files for: run this on one of its three',
    );
  if (!isRoot()) throw new CommandFailed('the keys between the machines are for root: run this as root');
  const url = configOf(call).store.url;
  if (url === undefined)
    throw new CommandFailed('store.url is missing in the config of this machine: run install.sh again');
  for await (const check of examineInstalledRegion(region, { url, clock: realClock, timeZone: zoneInForce(call) }))
    await onCheck(check);
  if (region.files === null) await onCheck(ownCheck('files', 'warn', foundInRegion('files_none')));
  if (running === null) {
    await onCheck(ownCheck('process', 'failed', foundInRegion('process_stopped')));
    return true;
  }
  return examineRunning(running, async check => {
    if (ofProcess.has(check.name)) await onCheck(check);
  });
}

async function examineRunning(box: BoxClient, onCheck: (check: Check) => Promise<void>): Promise<boolean> {
  for await (const line of box.lines('post', '/doctor', { what: 'all' })) {
    if ('done' in line) return line.done;
    await onCheck(line.check);
  }
  throw new BoxEnded();
}

async function examineStopped(call: Call, onCheck: (check: Check) => Promise<void>): Promise<boolean> {
  let config: Config;
  try {
    config = configOf(call);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    await onCheck(ownCheck('config', 'failed', found('config_wrong', { error: error.message })));
    return true;
  }
  await onCheck(ownCheck('config', 'ok', found('config')));
  using _owner = becomeOwner(config.data_dir);
  const leaf = config.tls?.cert ?? readIfThere(join(config.data_dir, 'tls', 'leaf.pem'));
  const site = { ...config.site, timezone: zoneInForce(call) };
  return await new Doctor({ ...config, site }, realClock, () => leaf).run('all', onCheck);
}

const ownCheck = <Name extends RegionCheck['name']>(name: Name, state: CheckState, finding: Found): Check<Name> => ({
  ...{ name, of: '', state, ms: 0, error: null },
  ...finding,
});

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const marks: Readonly<Record<CheckState, string>> = { ok: 'ok', warn: 'look', failed: 'FAILED', skipped: '-' };

function inWords({ name, of, state, ms, message, remedy }: RegionCheck): string {
  const time = ms >= 1000 ? ` (${span(ms)})` : '';
  const head = `${marks[state].padEnd(7)} ${name.padEnd(12)} ${of === '' ? '' : `${of}: `}${message}${time}\n`;
  return remedy === '' ? head : `${head}${' '.repeat(21)}to do: ${remedy}\n`;
}
