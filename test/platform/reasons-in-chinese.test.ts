import { expect, test } from 'vitest';
import { reasonInChinese } from '../../src/platform/reasons-in-chinese.ts';
import { databaseWords, slowDatabase } from '../../src/store/postgres/database-warnings.ts';
import { serverRemedies } from '../../src/store/postgres/writer-engine.ts';
import { remedies } from '../../src/store/writer/sqlite-engine.ts';
import { takenOverWords } from '../../src/upstream/taken-over.ts';

test('why nothing is accepted, and that another box logs in as this one, is said in Chinese too', () => {
  const ofDatabase = [...Object.values(serverRemedies), ...Object.values(databaseWords), slowDatabase(1234)];
  for (const text of [...Object.values(remedies), ...ofDatabase, takenOverWords('FACE-T1_A0001')])
    expect(reasonInChinese(text)).toMatch(/[一-鿿]{6}/);
  expect(reasonInChinese(takenOverWords('FACE-T1_A0001'))).toContain('FACE-T1_A0001');
});
