import { CardDrill } from '../../src/operations/drill/card-drill.ts';
import type { Log } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';

/** Runs a drill of the card on the data directory in its argument, and prints each number. */
const [dataDir = '', id = ''] = process.argv.slice(2);
const drill = await CardDrill.open({
  ...{ dataDir, clock: realClock, random: realRandom, bootId: () => 'first boot' },
  log: { warn() {}, error() {} } as unknown as Log,
  disk: () => ({ device: '', name: '', serial: '', cid: '', bytes: null }),
  wear: () => ({ bytesPerDay: null, enduranceTb: 30 }),
  keep: async () => {},
  isKept: async () => false,
  showPull: () => {},
});
drill.hear(written => process.stdout.write(`${written}\n`));
await drill.begin(id);
setInterval(() => {}, 1000);
