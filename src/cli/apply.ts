import { existsSync } from 'node:fs';
import { fullStrength } from '../accounts/index.ts';
import { type ApplyOutcome, applySite } from '../admin/index.ts';
import { type BoxClient, connectAdmin } from '../admin-client/index.ts';
import { readSiteFile } from '../config/index.ts';
import { isAdminRefused } from '../runtime/admin-refused.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, flag, type Run } from './command.ts';
import { configOf, dataDirOf } from './config-of.ts';
import { findBox } from './find-box.ts';
import { ownStore } from './stopped-box.ts';

/**
 * `apply SITE [--prune] [--dry-run]`: on a running box through its socket, on a stopped one in its
 * store.
 */
export const apply: Run = async call => {
  const read = readSiteFile(call.arguments[0]!, call.cwd);
  const dryRun = flag(call, 'dry-run');
  const outcome = await applyTo(call, { site: read.site, prune: flag(call, 'prune'), dryRun });
  if (!outcome.ok) throw read.refused(outcome.problems);
  const { changes } = outcome;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ dry_run: dryRun, changes })}\n`);
  for (const { action, section, key, fields } of changes)
    await call.print(`${signs[action]} ${section} ${key}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}\n`);
  await call.print(summary(changes, dryRun));
};

const signs = { add: '+', change: '~', remove: '-' } as const;

/** `call` says which box. */
export async function applyTo(call: Call, input: Parameters<typeof applySite>[1]): Promise<ApplyOutcome> {
  const dataDir = dataDirOf(call);
  if (existsSync(dataDir)) {
    const running = await connectAdmin(dataDir);
    if (running || existsSync(`${dataDir}/gatehouse.db`)) {
      await using box = running ?? (await findBox(call));
      return await appliedAt(box, input);
    }
  }
  // Before the first start: the store is made.
  const production = configOf(call).environment === 'production';
  using _owner = becomeOwner(dataDir);
  await using store = await ownStore(call, dataDir);
  return await applySite(store, input, {
    production,
    clock: realClock,
    hashStrength: fullStrength,
  });
}

/** The site is refused as a whole: its problems are no failure of the call. */
export async function appliedAt(
  box: Pick<BoxClient, 'post'>,
  { site, prune, dryRun }: Parameters<typeof applySite>[1],
): Promise<ApplyOutcome> {
  try {
    return { ok: true, ...(await box.post('/site', { site, prune, dry_run: dryRun })) };
  } catch (error) {
    if (!isAdminRefused(error) || error.problem.status !== 422) throw error;
    return { ok: false, problems: error.problem.problems as Extract<ApplyOutcome, { ok: false }>['problems'] };
  }
}

function summary(changes: readonly { action: string }[], dryRun: boolean): string {
  if (changes.length === 0) return 'nothing to change\n';
  const count = (action: string) => changes.filter(change => change.action === action).length;
  const counts = `${count('add')} to add, ${count('change')} to change, ${count('remove')} to remove`;
  return dryRun
    ? `plan: ${counts}; nothing was changed\n`
    : `${counts.replaceAll(/to (add|change|remove)/g, word => done[word]!)}\n`;
}

const done: Readonly<Record<string, string>> = { 'to add': 'added', 'to change': 'changed', 'to remove': 'removed' };
