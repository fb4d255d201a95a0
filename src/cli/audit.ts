import type { AuditVerdict } from '../admin/index.ts';
import { type AuditHead, auditChains, headsText } from '../platform/audit-heads.ts';
import { csvLine } from '../runtime/csv.ts';
import { type Call, CommandFailed, flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';
import { openOut } from './out.ts';
import { zoneOf } from './site-zone.ts';
import { textOf } from './text-of.ts';
import { moment, number } from './wording.ts';

const columns = [
  'id',
  'chain',
  'at',
  'lastAt',
  'count',
  'actor',
  'role',
  'address',
  'action',
  'subject',
  'said',
  'outcome',
  'hash',
] as const;

/** `audit verify [--heads FILE]`: exit status 1 where the log does not hold. */
export const auditVerify: Run = async call => {
  const kept = readHeads(call);
  await using box = await findBox(call);
  const verdict = await box.get('/audit/verify', { heads: headsText(kept) });
  if (flag(call, 'json')) await call.print(`${JSON.stringify(verdict, null, 2)}\n`);
  else await call.print(verdictInWords(verdict, kept.length, await zoneOf(box)));
  return verdict.holds ? 0 : 1;
};

/**
 * `audit export [--format ndjson|csv] [--out F]`: every entry, and on standard error whether they
 * hold; exit status 1 where they do not.
 */
export const auditExport: Run = async call => {
  const csv = textOption(call, 'format') === 'csv';
  await using box = await findBox(call);
  const verdict = await box.get('/audit/verify', { heads: '' });
  {
    await using out = openOut(call);
    if (csv) await out.write(csvLine([...columns]));
    for await (const row of box.lines('get', '/audit/export'))
      await out.write(csv ? csvLine(columns.map(name => String(row[name] ?? ''))) : `${JSON.stringify(row)}\n`);
    await out.done();
  }
  call.tell(verdictInWords(verdict, 0, await zoneOf(box)).trimEnd());
  return verdict.holds ? 0 : 1;
};

function verdictInWords({ holds, broken, chains, kept_gone }: AuditVerdict, kept: number, timeZone: string): string {
  const lines = [
    holds ? 'the audit log holds: no entry was changed, removed or put in' : 'the audit log does NOT hold',
  ];
  if (broken)
    lines.push(
      `  the first entry that does not: number ${broken.id}${broken.chain ? ` of "${broken.chain}"` : ''}: ${broken.why}`,
    );
  for (const { chain, entries, begun_at, begins_after, removed } of chains) {
    const gone = removed > 0 ? `, ${number(removed)} removed from its old end` : '';
    lines.push(
      `  ${chain}: ${number(entries)} entries behind number ${begins_after}, since ${moment(begun_at, timeZone)}${gone}`,
    );
  }
  for (const head of kept_gone) lines.push(`  the kept head ${lineOf(head)} is older than what is kept of its chain`);
  if (kept > kept_gone.length && holds) lines.push('  the kept heads stand in it: it was not rewritten since');
  if (chains.length > 0) {
    lines.push(
      'Keep these lines somewhere else; `gatehouse audit verify --heads FILE` says later whether they still stand in it:',
    );
    for (const { head } of chains) lines.push(lineOf(head));
  }
  return `${lines.join('\n')}\n`;
}

const lineOf = ({ chain, id, hash }: AuditHead): string => `head ${chain} ${id} ${hash}`;

/**
 * The `head …` lines of a file, whatever stands around them: what `audit verify` printed, or a page
 * of the system log.
 */
function readHeads(call: Call): AuditHead[] {
  const file = textOption(call, 'heads');
  if (file === undefined) return [];
  let text: string;
  try {
    text = textOf(call, file);
  } catch (error) {
    throw new CommandFailed(`${file}: cannot be read: ${(error as Error).message}`);
  }
  const heads = [...text.matchAll(/head (\w+) (\d{1,15}) ([0-9a-f]{64})/g)].flatMap(([, name, id, hash]) => {
    const chain = auditChains.find(one => one === name);
    return chain ? [{ chain, id: Number(id), hash: hash! }] : [];
  });
  if (heads.length === 0)
    throw new CommandFailed(
      `${file}: has no line such as "head done 12 …": give it what \`gatehouse audit verify\` printed`,
    );
  return heads.slice(-30);
}
