import { resolve } from 'node:path';
import type { BoxClient } from '../admin-client/index.ts';
import { realClock } from '../runtime/real-world.ts';
import type { BundleReport, LastUpdate, UpdateReport } from '../updates/index.ts';
import { agreed } from './agreed.ts';
import { type Call, CommandFailed, flag, type Run, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { moment } from './wording.ts';

const lookMs = 300;

/** `update FILE | --rollback | --status`. */
export const update: Run = async call => {
  const [file] = call.arguments;
  const asked = [file !== undefined, flag(call, 'rollback'), flag(call, 'status')].filter(Boolean).length;
  if (asked !== 1) throw new WrongUsage('say one of: FILE, --rollback, --status');
  await using box = await findBox(call);
  if (flag(call, 'status')) return tellStatus(call, await box.get('/update'), await zoneOf(box));
  if (file === undefined) return rollBack(call, box);
  const bundle = await box.post('/update/inspect', { file: resolve(call.cwd, file) });
  if (bundle.refused !== null) throw new CommandFailed(`${bundle.file}: ${bundle.refused}`);
  const allowOlder = flag(call, 'allow-older');
  if (bundle.olderThan !== null && !allowOlder)
    throw new CommandFailed(
      `${bundle.file}: ${bundle.version} is older than ${bundle.olderThan}, which runs: take a newer bundle, or say --allow-older; to go back to what ran before, say --rollback`,
    );
  if (!(await agreed(call, inWords(bundle)))) return 1;
  if (bundle.olderThan !== null) (await import('../updates/index.ts')).allowAsRoot(bundle.version);
  await box.post('/update', { file: bundle.file, allow_older: allowOlder });
  return follow(call, box, bundle);
};

const kinds = { image: 'system', program: 'program' } as const;

/** Systems and programs without a version came with the card or the package. */
const nameless = { image: 'the flashed system', program: 'the packaged program' } as const;
const named = (kind: LastUpdate['kind'], version: string): string =>
  version === '' ? nameless[kind] : `${kinds[kind]} ${version}`;

const inWords = ({ kind, version, description }: BundleReport): string =>
  `${kinds[kind]} ${version}${description === '' ? '' : `: ${description}`}\nA backup is made first; then ${kind === 'image' ? 'the machine' : 'the box'} restarts. Devices come back by themselves.`;

async function rollBack(call: Call, box: BoxClient): Promise<number> {
  const { other } = await box.get('/update');
  const what = other ? `back to ${named(other.kind, other.version)}` : 'back';
  if (other && !(await agreed(call, `${what}. What was recorded since the update stays.`))) return 1;
  await box.post('/update/rollback');
  if (flag(call, 'json')) await call.print(`${JSON.stringify({ rolled_back_to: other })}\n`);
  else await call.print(`${what}: it restarts now\n`);
  return 0;
}

/** Waits until the box restarts or reports that the update was not installed. */
async function follow(call: Call, box: BoxClient, bundle: BundleReport): Promise<number> {
  let said = '';
  for (;;) {
    const report = await box.get('/update').catch(error => {
      // The connection is gone: the box restarts, since nothing else ends it here.
      if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    });
    const { progress = null, last = null } = report ?? {};
    if (report && !progress && last?.outcome !== 'installed')
      throw new CommandFailed(`${bundle.file}: not installed: ${last?.why ?? 'the box does not say why'}`);
    if (!report || !progress || progress.step === 'restarting') {
      if (flag(call, 'json'))
        await call.print(`${JSON.stringify({ installed: bundle.version, why: last?.why ?? '' })}\n`);
      else await call.print(`${bundle.version} is installed${ending(last)}\n`);
      return 0;
    }
    const step = progress.step === 'backup' ? 'making the backup' : `installing: ${progress.percent} %`;
    if (step !== said) call.tell(step);
    said = step;
    await realClock.sleep(lookMs);
  }
}

const ending = (last: LastUpdate | null): string =>
  last?.why ? `; ${last.why}` : ' and restarts now; `gatehouse update --status` says in two minutes whether it is kept';

async function tellStatus(call: Call, report: UpdateReport, timeZone: string): Promise<void> {
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report, null, 2)}\n`);
  const { runs, other, progress, last, impossible, found } = report;
  const slot = runs.slot === null ? '' : `, system ${runs.system || 'as flashed'} in slot ${runs.slot}`;
  const lines = [
    ['runs', `${runs.version} (${runs.program} program${slot})`],
    ['rollback to', other ? named(other.kind, other.version) : 'nothing'],
    [
      'under way',
      progress ? `${progress.to || 'the previous version'}: ${progress.step}, ${progress.percent} %` : 'nothing',
    ],
    ['last update', last ? lastInWords(last, timeZone) : 'none'],
    ...found.map(({ file }) => ['found', file]),
    ...(impossible === null ? [] : [['no updates', impossible]]),
  ];
  await call.print(lines.map(([name, value]) => `${name!.padEnd(12)} ${value}\n`).join(''));
}

const lastInWords = ({ kind, from, to, outcome, why, at }: LastUpdate, timeZone: string): string =>
  `${named(kind, from)} to ${to || nameless[kind]}: ${outcome}${why === '' ? '' : ` (${why})`}, ${moment(at, timeZone)}`;
