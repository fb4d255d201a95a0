import { parseDeviceId } from '../../platform/device-id.ts';
import type { Directory, PeopleReads } from '../../store/index.ts';
import type { Coded } from '../../words/sentences.ts';

/** Device or person that an entry of the audit log is about, by the name of today. */
interface AuditNamed {
  readonly kind: 'device' | 'person';
  /** As it stands in the entry. */
  readonly id: string;
  readonly name: string;
}

interface Entry extends Coded {
  readonly action: string;
  readonly subject: string;
}

/** Lookups for one page: an entry names a handful, and the same ones again and again. */
const lookupsMax = 500;

/**
 * Names the devices and people of audit entries, which hold ids alone: a name may change, an entry
 * may not. A device without a name goes by its id; what is no longer in the lists is left out.
 */
export async function auditNames(
  read: Pick<PeopleReads, 'person'>,
  directory: Pick<Directory, 'device'>,
  entries: readonly Entry[],
): Promise<AuditNamed[][]> {
  const people = new Map<string, string>();
  const named = async (id: string): Promise<AuditNamed[]> => {
    const parsed = parseDeviceId(id);
    const device = parsed.ok ? directory.device(parsed.value) : undefined;
    if (device) return [{ kind: 'device', id, name: device.name || id }];
    if (!people.has(id) && people.size < lookupsMax) people.set(id, (await read.person(id))?.name ?? '');
    const name = people.get(id) ?? '';
    return name === '' ? [] : [{ kind: 'person', id, name }];
  };
  const found: AuditNamed[][] = [];
  for (const entry of entries) {
    const all: AuditNamed[] = [];
    for (const id of idsIn(entry)) all.push(...(await named(id)));
    found.push(all);
  }
  return found;
}

/** By the path, and the names that the values of all subjects share (words/audit.ts). */
function idsIn({ action, subject, code, params = {} }: Entry): Set<string> {
  const text = (name: string): string => String(params[name] ?? '');
  const [, list, id = ''] = action.split('/');
  const ofPath = list === 'devices' || list === 'people' ? [plain(id), code === undefined ? subject : ''] : [];
  const ids = [
    ...ofPath,
    ...[text('who'), text('device'), text('whose') === 'person' ? text('id') : ''],
    ...text('ids').split(', '),
    ...text('items')
      .split('\n')
      .map(line => line.split('\t')[0]!),
  ];
  return new Set(ids.filter(Boolean));
}

/** A part of a path as the caller meant it. */
export function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
