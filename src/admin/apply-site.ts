import { type HashStrength, hashPassword, passwordProblem, passwordRule, verifyPassword } from '../accounts/index.ts';
import { type SiteFile, type SiteProblem, siteProblems } from '../config/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SiteData, SiteStore } from '../store/index.ts';
import { planErrors } from '../words/plans.ts';
import type { ApplyOutcome } from './port.ts';

/**
 * Loads a site into the store (CONTRACT section 3): references and new entries are checked against
 * what the box holds, passwords are hashed. A password that is the one in force is left as it is,
 * so that applying a file twice changes nothing the second time.
 */
export async function applySite(
  store: SiteStore,
  input: { readonly site: SiteFile; readonly prune: boolean; readonly dryRun: boolean },
  {
    production,
    clock,
    hashStrength,
    siteName = '',
  }: {
    readonly production: boolean;
    readonly clock: Clock;
    readonly hashStrength: HashStrength;
    readonly siteName?: string;
  },
): Promise<ApplyOutcome> {
  const held = await store.read.site({ withSecrets: true });
  const problems = siteProblems(input.site, held, { prune: input.prune, production });
  if (problems.length > 0) return { ok: false, problems };
  const users = input.site.users && (await withHashes(input.site.users, held.users ?? [], { siteName, hashStrength }));
  if (users && 'problems' in users) return { ok: false, problems: users.problems };
  const { prune, dryRun } = input;
  // New entries have their keys (siteProblems); of the others the store leaves alone what is not
  // named.
  const site = { ...input.site, ...(users ? { users } : {}) } as SiteData;
  const changes = await store.write.applySite({ site, prune, dryRun, at: clock.now() });
  if (changes === 'last_admin') return { ok: false, problems: [lastAdmin] };
  if ('notYet' in changes)
    return { ok: false, problems: changes.notYet.map(path => ({ path, ...planErrors.say('move_to_come') })) };
  return { ok: true, changes };
}

const lastAdmin: SiteProblem = {
  path: ['users'],
  reason: 'leaves the box without an admin: give one person with a password the role admin, or leave out users',
};

/**
 * A password that is in force already is not judged: an update of the rule keeps no box from
 * starting.
 */
async function withHashes(
  users: NonNullable<SiteFile['users']>,
  held: NonNullable<SiteData['users']>,
  { siteName, hashStrength }: { readonly siteName: string; readonly hashStrength: HashStrength },
): Promise<NonNullable<SiteData['users']> | { problems: SiteProblem[] }> {
  const hashes = new Map(held.map(user => [user.name, user.password_hash]));
  const listed = [];
  const problems: SiteProblem[] = [];
  for (const [index, { password, ...user }] of users.entries()) {
    const before = hashes.get(user.name);
    const same = password !== undefined && before !== undefined && (await verifyPassword(password, before));
    if (password === undefined || same) {
      listed.push(user);
      continue;
    }
    const weak = await passwordProblem(password, user.name, siteName);
    if (weak) problems.push({ path: ['users', index, 'password'], reason: passwordRule[weak] });
    else listed.push({ ...user, password_hash: await hashPassword(password, hashStrength) });
  }
  return problems.length > 0 ? { problems } : (listed as NonNullable<SiteData['users']>);
}
