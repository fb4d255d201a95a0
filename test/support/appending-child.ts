import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { openStore } from '../../src/store/index.ts';
import { sayLine } from './say-line.ts';
import { registered } from './store.ts';

/**
 * Appends for ever and prints each record that is committed, until it is killed. With `level`, each
 * is in the tables before the next one is sent.
 */
const [dataDir, round, level] = process.argv.slice(2) as [string, string, 'level'?];
const store = await openStore({
  dataDir,
  environment: 'test',
  timeZone: 'UTC',
  actions: defaultActions,
  upstream: true,
  clock: realClock,
  log: silentLog,
});
const { deviceNo } = await registered(store);
let next = 0;
/** Long enough that the segments of a few records are compressed. */
const filler = 'match: score 0.97 in 84 ms; '.repeat(20);
const appendOne = (): void => {
  const text = `${round}:${next++} ${filler}`;
  store.journal.append(
    {
      deviceNo,
      channel: 'log',
      receivedAt: realClock.now(),
      logPath: 'FT1/A0001',
      marks: {},
      payload: Buffer.from(text),
    },
    {
      onCommitted: error => {
        if (!error) sayLine(text);
        if (level) void store.catchUp().then(appendOne);
        else appendOne();
      },
    },
  );
};
for (let parallel = 0; parallel < 8; parallel++) appendOne();
