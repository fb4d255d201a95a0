import type { SearchReport } from '../../../src/admin/ui/search.ts';
import { query } from '../api.ts';
import { mistakeWords, refusedCallWords } from '../pages/integrations/mistake-words.ts';
import { integrationWords } from '../pages/integrations/words.ts';
import { now } from '../parts/now.ts';
import { ago, moment } from '../parts/numbers.ts';
import { refusalSaid } from '../parts/reasons.ts';
import { words } from '../words/index.ts';
import { actionPlaces, matches, type Place, pagePlaces } from './places.ts';
import { recents } from './recent.ts';
import { said } from './words.ts';

type GroupName = keyof typeof said.value.groups;
export interface Group {
  readonly name: GroupName;
  readonly items: readonly Place[];
}

/** Entries of the search, in groups; `found` is the box's answer, once it is there. */
export function groupsOf(typed: string, found: SearchReport | null): readonly Group[] {
  const recent = recents().filter(one => matches(one, typed));
  const isRecent = new Set(recent.map(({ href }) => href));
  const others = (places: readonly Place[]) => places.filter(({ href }) => href === undefined || !isRecent.has(href));
  const all: Group[] = [
    { name: 'answers', items: found ? answers(found) : [] },
    { name: 'recent', items: recent },
    ...(found ? ofBox(found, typed) : []).map(({ name, items }) => ({ name, items: others(items) })),
    { name: 'pages', items: others(pagePlaces()).filter(one => matches(one, typed)) },
    { name: 'actions', items: actionPlaces().filter(one => matches(one, typed)) },
  ];
  return all.filter(({ items }) => items.length > 0);
}

function answers({ refused_devices, refused_calls }: SearchReport): Place[] {
  const text = said.value;
  return [
    ...refused_devices.map(row => {
      const name = row.client_id || row.address;
      const why = refusalSaid(row.code, row.detail, row.message);
      return row.let_in_at === null
        ? { title: text.deviceRefused(row.device || name), note: why, href: `/devices${query({ refused: name })}` }
        : {
            title: text.deviceLetIn(row.device || name, ago(row.let_in_at, now.peek())),
            note: text.before(why),
            href: `/devices/${encodeURIComponent(name)}`,
          };
    }),
    ...refused_calls.map(call => ({
      title: text.callsRefused(call.caller || refusedCallWords.value.nobody),
      note: mistakeWords(call),
      href: `/integrations${query({ tab: 'requests', caller: call.caller })}`,
    })),
  ];
}

function ofBox({ about, people, day, devices, records, callers, more }: SearchReport, typed: string): Group[] {
  const text = said.value;
  const page = (extId: string) => `/attendance/person/${encodeURIComponent(extId)}`;
  return [
    {
      name: 'people',
      items: [
        ...people.map(({ ext_id, name, employee_num, department }) => ({
          title: day === null ? name || ext_id : text.personDay(name || ext_id, day),
          note: [employee_num, department].filter(Boolean).join(', '),
          href: `${page(ext_id)}${query({ day })}`,
        })),
        ...(more.includes('people')
          ? [{ title: text.morePeople(about), note: '', href: `/people${query({ search: about })}` }]
          : []),
      ],
    },
    {
      name: 'devices',
      items: [
        ...devices.map(({ device_id, name, state }) => ({
          title: name || device_id,
          note: [name === '' ? '' : device_id, words.value.state[state]].filter(Boolean).join(', '),
          href: `/devices/${encodeURIComponent(device_id)}`,
        })),
        ...(more.includes('devices')
          ? [{ title: text.moreDevices(about), note: '', href: `/devices${query({ search: about })}` }]
          : []),
      ],
    },
    {
      name: 'records',
      items: records.map(({ seq, kind, device_id, device, at }) => ({
        title: text.record(seq),
        note: [text.recordKinds[kind], device || device_id, moment(at)].join(', '),
        href: `/devices/${encodeURIComponent(device_id)}/record/${seq}`,
      })),
    },
    {
      name: 'callers',
      items: callers.map(({ kind, id, name }) => ({
        title: name || id,
        note: [name === '' ? '' : id, integrationWords.value.kinds[kind]].filter(Boolean).join(', '),
        href: typed === '' ? '/integrations' : `/integrations${query({ caller: id })}`,
      })),
    },
  ];
}
