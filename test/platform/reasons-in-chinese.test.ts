import { expect, test } from 'vitest';
import { reasonInChinese } from '../../src/platform/reasons-in-chinese.ts';
import { serverRemedies } from '../../src/store/postgres/writer-engine.ts';
import { remedies } from '../../src/store/writer/sqlite-engine.ts';
import { takenOverWords } from '../../src/upstream/taken-over.ts';

test('why nothing is accepted, and that another box logs in as this one, is said in Chinese too', () => {
  for (const text of [...Object.values(remedies), ...Object.values(serverRemedies), takenOverWords('FACE-T1_A0001')])
    expect(reasonInChinese(text)).toMatch(/[一-鿿]{6}/);
  expect(reasonInChinese(takenOverWords('FACE-T1_A0001'))).toContain('FACE-T1_A0001');
});
