import { DatabaseSync } from 'node:sqlite';
import { drizzle } from 'drizzle-orm/node-sqlite';
import { expect, test } from 'vitest';
import { accessReads } from '../../../src/store/readers/access.ts';
import { attendanceReads } from '../../../src/store/readers/attendance.ts';
import { peopleReads } from '../../../src/store/readers/people.ts';
import { aStore } from '../../support/store.ts';

test('what the pages and reports about people read goes by an index into every table that grows with the years, and sorts nothing of it', async () => {
  await using opened = await aStore();
  using database = new DatabaseSync(`${opened.dataDir}/gatehouse.db`, { readOnly: true });
  const asked = new Set<string>();
  const observed = {
    prepare(text: string) {
      asked.add(text);
      return database.prepare(text);
    },
  };
  const connection = {
    sql: (text: string) => observed.prepare(text),
    orm: drizzle({ client: observed as never }),
  } as never;
  const people = peopleReads(connection, opened.store.directory);
  const access = accessReads(connection);
  const span = { from: 0, to: 1 };
  const stoodIn = { departmentIds: [2], from: '2026-11-01', to: '2026-11-30' };
  for (const scope of [{}, { departmentExtId: 'd', text: 'x' }, { stoodIn }]) {
    await people.dayCounts({ ...span, ...scope });
    for (const here of [true, false]) await people.dayPeople({ ...span, ...scope, here, limit: 1 });
    await people.people({ ...scope, limit: 1 });
  }
  await people.checkTimes({ ...span, ids: [1], limit: 1 });
  await people.person('e1');
  await people.punches({ ...span, extId: 'e1', limit: 1 });
  await people.departmentTree(1);
  await people.featureMarks(['e1']);
  await people.featureFacts('e1');
  for (const person of [undefined, 'e1']) await access.accessEvents({ person, limit: 1, lookMax: 1 });
  await access.accessPhoto(1);
  const attendance = attendanceReads(connection, opened.store.directory);
  for (const cut of [{}, { extId: 'e1' }, { stoodIn }]) {
    await attendance.checkInReport({ ...span, ...cut, limit: 1 });
    await attendance.accessReport({ ...span, ...cut, limit: 1 });
  }
  for (const passedOnly of [true, false]) await attendance.accessPage({ after: 0, limit: 1, passedOnly, bytesMax: 1 });
  expect(asked.size).toBeGreaterThan(15);
  const plans = [...asked].flatMap(text =>
    (database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[]).map(({ detail }) => ({
      detail,
      text,
    })),
  );
  // Read from end to end: `c`, `a`, `p` and the like are aliases of the tables that grow; `USING
  // INDEX` is a walk in the order that is asked for.
  const whole = plans.filter(
    ({ detail }) => /^SCAN (c|a|p|checkin\w*|access_record|feature\w*)\b/.test(detail) && !detail.includes('USING'),
  );
  expect(whole).toEqual([]);
  expect(plans.filter(({ detail }) => detail.includes('TEMP B-TREE FOR ORDER BY'))).toEqual([]);
});
