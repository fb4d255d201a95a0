import { expect, test } from 'vitest';
import { CheckInConsumer, EventProgram, type Kept, tokenFor } from '../support/event-program.ts';
import { History, readTables, tableFaults } from '../support/history.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/** Of the consumer; the box is killed once in five. `npm run test:nightly` kills 300 times. */
const kills = Number(process.env.KILLS ?? 50);

test(
  `a consumer that is killed ${kills} times under load, and the box with it, has every event exactly once and in order`,
  async () => {
    using history = new History();
    await using box = await BoxProcess.start(
      { listen: { events: '127.0.0.1:0', mqtt: '127.0.0.1:0' }, limits: { log_per_second: 10_000, log_per_day: 1e7 } },
      aSite(),
    );
    const token = await tokenFor(box, 'payroll', 'checkins/#');
    const terminals = Array.from({ length: 5 }, (_, number) =>
      new MqttTerminal(
        { deviceId: `FACE-T1_K000${number}`, key: productKey },
        `mqtt://127.0.0.1:${box.port('mqtt')}`,
      ).writesTo(history),
    );
    let isWorking = true;
    const work = terminals.map(async terminal => {
      while (isWorking) await Promise.all([terminal.say('device'), terminal.say('log')]);
    });

    // A control: who only listens misses what came while the box or the connection was away.
    await using control = new EventProgram(box, 'payroll', token, { reconnectPeriod: 20 });
    await control.subscribe('gatehouse/v1/checkins/#');

    // What the consumer has done with an event, and where it has come to, are kept in one step.
    const kept: Kept = {
      last: 0,
      count: 0,
      take: id => history.write('program', { op: 'event', program: 'payroll', id }),
    };
    for (let kill = 1; kill <= kills; kill++) {
      const consumer = new CheckInConsumer(box, 'payroll', token, kept);
      const from = kept.count;
      await until('it goes on', () => kept.count > from + 5);
      if (kill % 5 === 0) {
        await box.kill9();
        history.note('the box is killed');
        await box.start();
        const before = kept.count;
        await until('it goes on with the same connection', () => kept.count > before + 5);
      }
      await consumer[Symbol.asyncDispose]();
    }
    isWorking = false;
    await Promise.all(work);

    await readTables(history, box);
    const rows = terminals.flatMap(({ said }) => said.filter(({ channel }) => channel === 'device')).length;
    await using _last = new CheckInConsumer(box, 'payroll', token, kept);
    await until('it is level', () => kept.count >= rows);
    history.write('program', { op: 'level', program: 'payroll', store: 'box', kind: 'message' });
    await history.expectSound([...tableFaults, 'an event left out', 'an event twice']);
    expect(rows).toBeGreaterThan(kills * 5);
    expect(control.on('gatehouse/v1/checkins/').length).toBeLessThan(rows);
    for (const terminal of terminals) await terminal.client.endAsync(true);
  },
  300_000 + 30_000 * kills,
);
