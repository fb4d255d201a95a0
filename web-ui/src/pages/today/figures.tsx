import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { status } from '../../live.ts';
import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { Figures } from '../../parts/figures.tsx';
import { now } from '../../parts/now.ts';
import { ago, bytes, count } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import type { DayCounts } from './day-picture.tsx';
import { say } from './words.ts';

const arrivalsRefreshMs = 60_000;

/** The devices that are not online, by what is with them. */
function notOnline({ silent, never, refused, held_back }: TodayReport['status']['devices']['states']): string {
  const said = say.value;
  const parts = [
    silent > 0 ? said.offline(count(silent)) : '',
    refused > 0 ? said.rejected(count(refused)) : '',
    held_back > 0 ? said.heldBack(count(held_back)) : '',
    never > 0 ? said.neverHere(count(never)) : '',
  ].filter(Boolean);
  return parts.length === 0 ? said.allOnline : parts.join(said.comma);
}

/** Age of the last backup; nothing in a region. */
function backupNote(backup: TodayReport['status']['backup']): string | undefined {
  if (backup === null) return undefined;
  const { last_at: last } = backup;
  return last === null ? say.value.noBackup : `${words.value.today.backup}: ${ago(last, now.value)}`;
}

/**
 * Figures that a visitor asks for first, each as one number. `drawn`: the check-ins of the picture
 * below, so that both say the same.
 */
export function TodayFigures({ report, drawn }: { report: TodayReport; drawn: DayCounts | null }) {
  const said = say.value;
  const { outbox, devices, disk } = status.value ?? report.status;
  const { silent } = report.status.devices.states;
  const arrivals = useLoaded('/day/arrivals');
  useEvery(arrivalsRefreshMs, arrivals.reload);
  const came = arrivals.loaded.value.data?.now ?? null;
  const total = drawn?.checkins ?? report.checkins.reduce((sum, one) => sum + one, 0);
  return (
    <Figures
      label={said.figures}
      figures={[
        came
          ? {
              ...{ key: 'people', icon: 'people', label: said.presentToday, value: count(came.came) },
              ...{ of: said.of(count(came.due)), note: said.absentAndLate(came.due - came.came, came.late) },
              // One click leads to people who are late or absent.
              href: came.due > came.came || came.late > 0 ? '/attendance?status=absent,late' : '/attendance',
            }
          : {
              ...{
                key: 'people',
                icon: 'people',
                label: said.peopleToday,
                value: count(drawn?.people ?? report.people),
              },
              ...{ note: words.value.today.records(total), href: '/attendance' },
            },
        {
          ...{ key: 'devices', icon: 'devices', label: said.devicesOnline, value: count(devices.online) },
          ...{ of: said.of(count(devices.known)), href: '/devices' },
          note: notOnline(report.status.devices.states),
          state: silent > 0 ? 'warn' : undefined,
        },
        {
          ...{ key: 'waiting', icon: 'queue', label: said.waiting, value: count(outbox.waiting), href: '/sync' },
          note:
            outbox.oldest_at === null ? words.value.path.nothingWaits : said.since(ago(outbox.oldest_at, now.value)),
        },
        {
          ...{ key: 'disk', icon: 'disk', label: said.diskFree, value: bytes(disk.free_bytes), href: '/system' },
          note: backupNote(report.status.backup),
          state:
            disk.state !== 'ok' || disk.unreadable !== null || disk.unwritable
              ? 'bad'
              : disk.is_low
                ? 'warn'
                : undefined,
        },
      ]}
    />
  );
}
