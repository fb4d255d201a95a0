import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { aSite, productKey } from '../../support/site.ts';
import { trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

const each = 20;
const productOf = (turn: number, no: number) => `NEW-${turn}-${no}`;

export const apply: Scenario = {
  name: 'apply',
  says: 'site files are applied to the running box: each one is there as a whole or not at all',
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    stage.notes.begin();
    for (let turn = 0; turn < 8; turn++) {
      const products = Array.from({ length: each }, (_, no) => ({
        ...{ product_id: productOf(turn, no), product_key: productKey, name: `Product ${no}`, model: 'FT1' },
        access: 'both',
      }));
      const file = join(box.folder, `site-${turn}.yaml`);
      await writeFile(file, stringify({ products: [...aSite().products, ...products] }));
      await box.ask('apply', file);
      stage.notes.promised('applied', String(turn));
      await trickle(terminals, stage.notes, 10);
    }
  },
  check({ stored, notes, entries }, found) {
    const there = new Set(stored.productIds);
    for (const { value, position } of notes.promises) {
      const own = Array.from({ length: each }, (_, no) => there.has(productOf(Number(value), no) as never));
      const count = own.filter(Boolean).length;
      if (position <= entries && count < each) found.lost.push(`${each - count} products of site file ${value}`);
      else if (count !== 0 && count !== each) found.inconsistent.push(`site file ${value} is there in part: ${count}`);
    }
  },
};
