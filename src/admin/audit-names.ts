import { parseDeviceId } from '../platform/device-id.ts';
import type { Directory, PeopleReads } from '../store/index.ts';

/** Whom an entry of the audit log is about, by the name that is known today. */
interface AuditNamed {
  readonly kind: 'device' | 'person';
  /** As it stands in the entry. */
  readonly id: string;
  readonly name: string;
}

interface Entry {
  readonly action: string;
  readonly subject: string;
}

/** Lookups for one page: an entry names a handful, and the same ones again and again. */
const lookupsMax = 500;

/**
 * Names the devices and people of audit entries, which hold ids alone: a name may change, an entry
 * may not. Who has no name any more is left out. Without a directory (of a stopped box) only people
 * are named.
 */
export function auditNames(
  read: Pick<PeopleReads, 'person'>,
  directory: Pick<Directory, 'device'> | null,
): (entries: readonly Entry[]) => Promise<AuditNamed[][]> {
  const nameOfDevice = (id: string): string => {
    const parsed = parseDeviceId(id);
    return (parsed.ok && directory?.device(parsed.value)?.name) || '';
  };
  return async entries => {
    const people = new Map<string, string>();
    const named: AuditNamed[][] = [];
    for (const entry of entries) {
      const found: AuditNamed[] = [];
      for (const id of devicesIn(entry)) {
        const name = nameOfDevice(id);
        if (name !== '') found.push({ kind: 'device', id, name });
      }
      for (const id of peopleIn(entry)) {
        if (!people.has(id) && people.size < lookupsMax) people.set(id, (await read.person(id))?.name ?? '');
        const name = people.get(id) ?? '';
        if (name !== '') found.push({ kind: 'person', id, name });
      }
      named.push(found);
    }
    return named;
  };
}

function devicesIn({ action, subject }: Entry): Set<string> {
  const path = /^\w+ \/devices\/([^/:]+)/.exec(action)?.[1];
  const words = [...(path ? [plain(path)] : []), ...subject.split(/[\s,:;]+/)];
  return new Set(words.filter(word => parseDeviceId(word).ok));
}

/**
 * By what the operations write (`call.subject`): no other word of a subject is an id of a person.
 */
const subjects: readonly (readonly [action: RegExp, ids: RegExp])[] = [
  [/^(POST|PUT|DELETE) \/people(\/[^/]+)?$/, /^(?!employees: |departments: )(\S+)$/g],
  [/^\w+ \/people\/[^/]+\//, /\bof ([^\s:,]+)/g],
  [/^\w+ \/(schedules\/leaves|access)/, /\bof ([^\s:,]+)/g],
  [/^POST \/attendance\/corrections/, /(?<=[:;(] )([^\s:;()]+)(?=: )|(?<=\()([^\s:;()]+)(?=: )/g],
  [/^\w+ \/schedules\/(calendar|rosters)/, /\bof person ([^\s:]+)/g],
  [/^POST \/people\/bulk/, /(?<=[:,] )([^\s,]+)(?=,|$| and)/g],
  [/^\w+ \/unknown-people\//, /(?<=\u2192 )(\S+)$/g],
  [/^GET \/reports\//, /(?<=, )([^,]+)/g],
];

function peopleIn({ action, subject }: Entry): Set<string> {
  const path = /^\w+ \/people\/([^/:]+)/.exec(action)?.[1];
  const ids = path && path !== 'import' ? [plain(path)] : [];
  for (const [on, pattern] of subjects)
    if (on.test(action)) for (const found of subject.matchAll(pattern)) ids.push(found[1] ?? found[2] ?? '');
  return new Set(ids.filter(Boolean));
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
