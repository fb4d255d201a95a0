import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { realClock } from '../../src/runtime/real-world.ts';
import { packWaits, WaitTimes } from '../../src/runtime/wait-times.ts';
import { dayOf } from '../../src/runtime/wall-time.ts';
import { staff } from '../../tools/sim/device/people.ts';
import { seededRandom } from './clock.ts';
import { applied, aStore } from './store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const daysKept = 16;

/** A zone in which it is two in the afternoon now, so that a test always sees a working day. */
export function afternoonZone(now: number): string {
  const ahead = 14 - new Date(now).getUTCHours();
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** A site of real size: its section of the site file. */
export const aPlant = ({ people = 200, devices = 60, chinese = false } = {}) => ({
  products: [
    {
      product_id: 'FACE-T1',
      product_key: 'key-of-the-product',
      name: chinese ? '人脸终端' : 'Face terminal',
      model: 'FT1',
      access: 'both' as const,
    },
  ],
  devices: Array.from({ length: devices }, (_, index) => ({
    device_id: `FACE-T1_A${String(index + 1).padStart(4, '0')}`,
    name: chinese
      ? `${Math.floor(index / 10) + 1} 号厂房 ${(index % 10) + 1} 门`
      : `Hall ${Math.floor(index / 10) + 1}, gate ${(index % 10) + 1}`,
  })),
  departments: [
    { ext_id: '0', name: chinese ? '四号厂房' : 'Plant 4' },
    { ext_id: 'd1', name: chinese ? '装配车间' : 'Assembly', p_ext_id: '0' },
  ],
  employees: staff(people).map(({ extId, name, employeeNum }) => ({
    ext_id: extId,
    name,
    mobile: '',
    employee_num: employeeNum,
    department: { ext_id: 'd1', title: chinese ? '钳工' : 'Fitter' },
  })),
});

/**
 * Days from half past eight to half past five, and every seventh person the night from eight; from
 * the first day that is filled on.
 */
export const plantSchedules = (timeZone: string, { people = 200, chinese = false } = {}) => ({
  shifts: [
    {
      ...{ code: 'day', name: chinese ? '白班' : 'Day', times: ['08:30-17:30'], breaks: ['12:00-13:00'] },
      ...{ late_grace: 5, early_grace: 5 },
    },
    { code: 'night', name: chinese ? '夜班' : 'Night', times: ['20:00-06:00'], late_grace: 5, early_grace: 15 },
  ],
  schedules: [
    { who: 'site' as const, shift: 'day', from: firstDay(timeZone) },
    ...staff(people)
      .filter((_, index) => index % 7 === 0)
      .map(({ extId }) => ({ who: { person: extId }, shift: 'night', from: firstDay(timeZone) })),
  ],
});

const firstDay = (timeZone: string) => dayOf(realClock.now() - daysKept * dayMs, timeZone).day;

/**
 * Fills the data directory of a box that does not run with two weeks of a plant: shifts by day and
 * night, a line that was cut this morning, a box that was off one night, a gate that is often away.
 */
export async function fillWorkingDays(
  dataDir: string,
  site: ReturnType<typeof aPlant>,
  timeZone: string,
): Promise<void> {
  const now = realClock.now();
  const random = seededRandom(7);
  const around = (minutes: number, spread: number) => minutes + (random() + random() + random() - 1.5) * spread;
  const today = dayOf(now, timeZone).from * 1000;
  const opened = await aStore({ dataDir, timeZone });
  const { store } = opened;
  await applied(store, site);
  const numbers = [...store.directory.devices()].map(({ deviceNo }) => deviceNo);
  const cutFrom = today + 8 * hourMs + 12 * minuteMs;
  const cutTo = cutFrom + 47 * minuteMs;
  const offFrom = today - 5 * dayMs - 3 * hourMs;
  const quick = new WaitTimes();
  quick.add(3, 190);
  quick.add(9, 10);
  const writes: Promise<void>[] = [];
  for (let at = today - daysKept * dayMs; at < Math.floor(now / minuteMs) * minuteMs; at += minuteMs) {
    if (at >= offFrom && at < offFrom + 7 * hourMs) continue;
    const isCut = at >= cutFrom && at < cutTo;
    const sinceCut = (at - cutFrom) / minuteMs;
    const waiting = isCut
      ? sinceCut * 11
      : at >= cutTo && at < cutTo + 12 * minuteMs
        ? Math.max(0, 517 - (sinceCut - 47) * 44)
        : 0;
    const online = new Uint8Array((Math.max(...numbers) >> 3) + 1);
    for (const [index, deviceNo] of numbers.entries())
      if (index % 17 !== 5 || Math.floor(at / hourMs) % 7 > 2) online[deviceNo >> 3]! |= 1 << (deviceNo & 7);
    const hourOfDay = ((at - today) / hourMs + 24 * daysKept) % 24;
    writes.push(
      store.write.noteMinute({
        minute: at / minuteMs,
        waiting: Math.round(waiting),
        records: Math.round(4 + random() * 3 + (hourOfDay > 7.5 && hourOfDay < 9.5 ? 40 * random() : 0)),
        waits: packWaits(quick.counts),
        freeBytes: Math.round(21e9 - ((at - today) / dayMs + daysKept) * 45e6),
        temperatureTenths: Math.round(465 + 45 * Math.sin(((hourOfDay - 9) / 24) * 2 * Math.PI) + 8 * random()),
        lineSeconds: isCut ? 0 : 60,
        onlineDevices: online,
      }),
    );
    if (writes.length >= 1000) await Promise.all(writes.splice(0));
  }
  await Promise.all(writes);
  await store[Symbol.asyncDispose]();
  punch(dataDir, { now, today, timeZone, numbers, around, random });
}

interface Punching {
  readonly now: number;
  readonly today: number;
  readonly timeZone: string;
  readonly numbers: readonly number[];
  around(minutes: number, spread: number): number;
  random(): number;
}

/** Straight into the table: through a gateway they would be of today. */
function punch(dataDir: string, { now, today, timeZone, numbers, around, random }: Punching): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  const people = database.prepare('SELECT id FROM employee ORDER BY id').all() as { id: number }[];
  const insert = database.prepare(
    `INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data,
       clock_low_ms, clock_high_ms) VALUES (?, 0, ?, ?, '', ?, 'fa', ?, '{}', ?, ?)`,
  );
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  const punches: { at: number; person: number }[] = [];
  for (let day = today - daysKept * dayMs; day <= today; day += dayMs) {
    const isWeekend = [0, 6].includes(new Date(dayOf(day + 12 * hourMs, timeZone).day).getUTCDay());
    for (const [index, { id }] of people.entries()) {
      if (random() < (isWeekend ? 0.9 : 0.06)) continue;
      const minutes =
        index % 7 === 0 ? [around(5.9 * 60, 14), around(19.9 * 60, 14)] : [around(8.4 * 60, 40), around(17.6 * 60, 50)];
      for (const minute of minutes) punches.push({ at: day + minute * minuteMs, person: id });
    }
  }
  let id = 0;
  for (const { at, person } of punches.sort((one, other) => one.at - other.at)) {
    if (at >= now) break;
    const device = numbers[Math.floor(random() * random() * numbers.length)]!;
    insert.run(++id, device, Math.round(at + random() * 900), person, Math.floor(at / 1000), -900, 700);
  }
  database.prepare("UPDATE counter SET value = ? WHERE name = 'checkin'").run(id);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
