import { expect, test } from 'vitest';
import { aSearch, departments, employee } from '../../support/search.ts';
import { aProduct, applied } from '../../support/store.ts';

test('a search among 50,000 people and 5,000 devices is short and fast', async () => {
  await using box = await aSearch();
  await applied(box.store, {
    products: [aProduct()],
    departments,
    employees: Array.from({ length: 50_000 }, (_, index) => employee(`e${index}`, `Person ${index}`)),
    devices: Array.from({ length: 5000 }, (_, index) => ({
      device_id: `FACE-T1_C${String(index).padStart(5, '0')}`,
      name: `Gate ${index}`,
    })),
  });
  for (let index = 0; index < 500; index++) await box.refuse(`FACE-T9_R${index}`, 'unknown_product');
  const times: Record<string, number> = {};
  for (const typed of ['person 49999', 'gate 4999', 'R499', 'nobody at all', 'why was R499 refused', 'e']) {
    await box.find(typed);
    const taken: number[] = [];
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      const found = await box.find(typed);
      const { user, system } = process.cpuUsage(before);
      taken.push((user + system) / 1000);
      expect(JSON.stringify(found).length).toBeLessThan(8000);
    }
    times[typed] = Math.round(taken.sort((one, other) => one - other)[2]!);
  }
  console.info(`searches (ms of processor time of all threads, median of 5): ${JSON.stringify(times)}`);
  expect(Math.max(...Object.values(times))).toBeLessThan(1000);
});
