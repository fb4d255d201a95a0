import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asUser } from '../operations/index.ts';
import { realClock } from '../runtime/real-world.ts';
import { type MoveOutcome, type MoveStep, moveToPostgres, takeBackMoved } from '../store/index.ts';
import { readSecret } from './ask-hidden.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { configOf, dataDirOf, zoneInForce } from './config-of.ts';
import { TerminalProgress } from './terminal-progress.ts';
import { bytes, counted, moment } from './wording.ts';

/** `migrate --to postgres --url file:PATH [--dry-run]`, or `migrate --take-back`. */
export const migrate: Run = async call => {
  const dataDir = dataDirOf(call);
  if (flag(call, 'take-back')) return takeBack(call, dataDir);
  if (textOption(call, 'to') === undefined)
    throw new WrongUsage('say where to: --to postgres, or --take-back to let a box start again');
  const url = addressOf(call);
  const dryRun = flag(call, 'dry-run');
  const progress = new TerminalProgress(call);
  if (!existsSync(dataDir)) throw new CommandFailed(`${dataDir}: no box here: name its --data-dir or --config`);
  // Files that it makes get the owner of the directory.
  const outcome = await asUser(statSync(dataDir), () =>
    moveToPostgres({ dataDir, url, dryRun, clock: realClock, tell: tellOn(call, progress) }),
  ).finally(() => progress.clear());
  if (flag(call, 'json')) return call.print(`${JSON.stringify(asJson(outcome, dataDir, dryRun))}\n`);
  await call.print(dryRun ? wouldMove(outcome, dataDir) : whatNext(outcome, dataDir));
};

const isAddress = /^postgres(ql)?:\/\//;

/** Never on the command line itself, where others on the machine can read it. */
function addressOf(call: Call): string {
  const written = textOption(call, 'url');
  if (written === undefined) {
    const { url } = configOf(call).store;
    if (url === undefined)
      throw new WrongUsage('--url is missing: write file: and the path of a file with the address');
    return url;
  }
  if (isAddress.test(written))
    throw new WrongUsage(
      '--url: write the address into a file, and here file: and its path: others can read this line',
    );
  const url = readSecret(call, written.replace(/^file:/, ''), 'address of the database').trim();
  if (!isAddress.test(url))
    throw new CommandFailed(
      `${written}: holds no address: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE into it`,
    );
  return url;
}

async function takeBack(call: Call, dataDir: string): Promise<void> {
  if (textOption(call, 'to') !== undefined || textOption(call, 'url') !== undefined)
    throw new WrongUsage('--take-back goes with neither --to nor --url');
  const moved = existsSync(dataDir)
    ? await asUser(statSync(dataDir), async () => takeBackMoved(resolve(dataDir)))
    : null;
  if (!moved) throw new CommandFailed(`${dataDir}: its store was not moved: there is nothing to take back`);
  await call.print(
    `${dataDir}: the box may start again, as it was on ${moment(moved.at, zoneInForce(call))}. The region on ${moved.database} must not run again: both have one identity, and would forward the same records\n`,
  );
}

const tellOn = (call: Call, progress: TerminalProgress) => (step: MoveStep) => {
  switch (step.kind) {
    case 'waiting':
      return call.tell('another process makes tables in the database: waiting until it has ended');
    case 'cleared':
      return call.tell('what an attempt before had left in the database is removed');
    case 'copied':
      return progress.show(`${step.table}: ${counted(step.rows, 'row')} of ${counted(step.of, 'row')}`);
    case 'compared':
      return progress.show(`${step.table}: equal`);
  }
};

const rowsOf = ({ tables }: MoveOutcome): number => (tables ?? []).reduce((sum, { rows }) => sum + rows, 0);

function wouldMove(outcome: MoveOutcome, dataDir: string): string {
  const { moved, tables } = outcome;
  if (tables === null) return `${dataDir}: was moved to ${moved.database} before\n`;
  return `${dataDir}: ${size(outcome)} can be moved to ${moved.database}; nothing was written\n`;
}

const size = (outcome: MoveOutcome): string =>
  `${counted(outcome.tables?.length ?? 0, 'table')} with ${counted(rowsOf(outcome), 'row')} (${bytes(outcome.bytes)} in the file of the box)`;

/** Folders of a data directory that the database has nothing of, and what is in them. */
const folders: readonly (readonly [name: string, holds: string])[] = [
  ['tls', 'certificates: without the folder devices have to trust a new one'],
  ['files', 'files of the public services'],
  ['statements', 'daily statements that were made'],
];

function whatNext(outcome: MoveOutcome, dataDir: string): string {
  const { moved, tables, environment, changedTexts } = outcome;
  const there = folders.filter(([name]) => existsSync(join(dataDir, name)));
  return [
    tables === null
      ? `${dataDir}: was moved to ${moved.database} before, and the move is ended now`
      : `${dataDir}: ${size(outcome)} are in ${moved.database}; counts and checksums of all tables are equal on both sides`,
    ...(changedTexts === 0
      ? []
      : [`${counted(changedTexts, 'text')} had a NUL, which PostgreSQL does not take: it became U+FFFD`]),
    '',
    'This box does not start any more. What is to be done now:',
    `1. Into the config of each process: environment: ${environment}, store: { engine: postgres, url: file:PATH }, and upstream and box as this box has them.`,
    `2. One process may have this data directory. To the directory of each other one copy ${join(dataDir, 'keys', 'seal.key')} as keys/seal.key.`,
    ...(there.length === 0
      ? []
      : [
          `   Not in the database, and to be copied where a process shall have them: ${there.map(([name, holds]) => `${name}/ (${holds})`).join('; ')}.`,
        ]),
    '3. Start the processes, and see in `gatehouse status` that records come in and go to the cloud.',
    `4. Keep ${join(dataDir, 'gatehouse.db')} until backups of the database are made. \`gatehouse migrate --take-back\` lets the box start again; what the region took since is not in it.`,
    '',
  ].join('\n');
}

const asJson = (outcome: MoveOutcome, dataDir: string, dryRun: boolean) => ({
  data_dir: dataDir,
  database: outcome.moved.database,
  environment: outcome.environment,
  dry_run: dryRun,
  was_moved_before: outcome.tables === null,
  tables: Object.fromEntries((outcome.tables ?? []).map(({ table, rows }) => [table, rows])),
  changed_texts: outcome.changedTexts,
});
