import { expect, test } from 'vitest';
import { reasonInChinese } from '../../src/platform/reasons-in-chinese.ts';
import { databaseWords, slowDatabase } from '../../src/store/postgres/database-warnings.ts';
import { changeWarnings, clockWarnings, versionWarnings } from '../../src/store/postgres/process-words.ts';
import { serverRemedies } from '../../src/store/postgres/writer-engine.ts';
import { remedies } from '../../src/store/writer/sqlite-engine.ts';
import { takenOverWords } from '../../src/upstream/taken-over.ts';

test('why nothing is accepted, and that another box logs in as this one, is said in Chinese too', () => {
  const ofDatabase = [...Object.values(serverRemedies), ...Object.values(databaseWords), slowDatabase(1234)];
  for (const text of [...Object.values(remedies), ...ofDatabase, takenOverWords('FACE-T1_A0001')])
    expect(reasonInChinese(text)).toMatch(/[一-鿿]{6}/);
  expect(reasonInChinese(takenOverWords('FACE-T1_A0001'))).toContain('FACE-T1_A0001');
});

test('what is said of the processes of a region and of their database together is said in Chinese too', () => {
  const of = (name: string, version: string, clockAheadMs: number) => ({ name, version, clockAheadMs });
  const change = { of: '', noticedAt: 0, stateAt: 0, until: 1000 };
  const all = [
    ...changeWarnings(0, { restored: change, copied: change }),
    ...clockWarnings([of('one', '1', 9000), of('two', '1', -9000)]),
    ...[9000, -9000].flatMap(ms => clockWarnings([of('one', '1', ms), of('two', '1', ms)])),
    ...versionWarnings([of('one', '1', 0), of('two', '2', 0)]),
  ];
  expect(all).toHaveLength(7);
  for (const text of all) expect(reasonInChinese(text), text).toMatch(/[一-鿿]{6}/);
});
