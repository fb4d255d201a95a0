import { describe, expect, test } from 'vitest';
import type { Asked } from '../../src/events/broker.ts';
import { Commands } from '../../src/events/commands.ts';
import { eventTopics } from '../../src/platform/event-topics.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { Device } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';
import { askings, HeldReads, rest } from '../support/held-reads.ts';
import { append, aStore, registered, type TemporaryStore } from '../support/store.ts';

const action = 4001;
const timeoutMs = 5000;

/** Commands over a journal that answers late. They are called `m1`, `m2`, … in their order. */
function commandsOver({ store }: TemporaryStore, asking: (typeof askings)[number]) {
  const clock = new HandClock();
  const reads = new HeldReads(store.journal, asking);
  const heard: Record<string, unknown>[] = [];
  let mids = 0;
  const commands = new Commands({
    ...{ clock, log: silentLog, codesOfTheBox: new Set(), onRefused: () => {} },
    store: { directory: store.directory, journal: reads.journal },
    newMid: () => `m${++mids}`,
    devices: {
      isOnline: () => true,
      deliver: async () => true,
      stamp: () => 1_763_600_000,
      idAsWritten: deviceNo => store.directory.deviceByNo(deviceNo)!.deviceId,
      audit: async () => {},
    },
  });
  const asked = { action, response_topic: `${eventTopics.answers('wall')}/1`, timeout_s: timeoutMs / 1000 };
  return {
    ...{ clock, reads, heard },
    ask: ({ deviceId }: Device) =>
      commands.take({
        program: { tokenId: 1, name: 'wall', rights: { topics: [], actions: [action] } },
        topic: eventTopics.command(deviceId),
        payload: Buffer.from(JSON.stringify(asked)),
        answer: async (_topic, payload) => void heard.push(JSON.parse(payload)),
      } satisfies Asked),
    async says({ deviceNo, deviceId }: Device, mid: string) {
      const payload = Buffer.from(JSON.stringify({ mid, from: deviceId, to: 'system', time: 1, action, data: {} }));
      await append(store, { deviceNo, channel: 'device', receivedAt: 1, logPath: '', marks: {}, payload });
      await rest();
    },
    [Symbol.dispose]: () => commands[Symbol.dispose](),
  };
}

const answer = (mid: string) => ({ ok: true, mid, action, data: {} });

describe.each(askings)('over a journal that answers late and asks %s what is wanted', asking => {
  test('one reading is under way at a time, and the next finds the answer that came meanwhile', async () => {
    await using temporary = await aStore();
    using line = commandsOver(temporary, asking);
    const device = await registered(temporary.store);
    await line.ask(device);
    await line.says(device, 'another');
    await line.says(device, 'm1');
    expect(line.reads.begun).toEqual([0]);
    await line.reads.release();
    expect(line.heard).toEqual([]);
    expect(line.reads.begun).toEqual([0, 1]);
    await line.reads.release();
    expect(line.heard).toEqual([answer('m1')]);
    expect(line.reads.underWay).toBe(0);
  });

  test('the answer of a device that was not asked yet when a reading began is heard', async () => {
    await using temporary = await aStore();
    using line = commandsOver(temporary, asking);
    const first = await registered(temporary.store, 'FACE-T1_A1');
    const second = await registered(temporary.store, 'FACE-T1_A2');
    await line.ask(first);
    await line.says(first, 'm1');
    await line.ask(second);
    await line.says(second, 'm2');
    await line.reads.free();
    expect(line.heard).toEqual([answer('m1'), answer('m2')]);
  });

  test('who was told that a device did not answer in time is told nothing more by a late reading', async () => {
    await using temporary = await aStore();
    using line = commandsOver(temporary, asking);
    const device = await registered(temporary.store);
    await line.ask(device);
    await line.says(device, 'm1');
    await line.clock.advance(timeoutMs);
    expect(line.heard).toMatchObject([{ ok: false, mid: 'm1' }]);
    await line.says(device, 'another');
    // Nobody waits any more: what is before the next command is not looked at again.
    await line.ask(device);
    await line.says(device, 'm2');
    await line.reads.release();
    expect(line.heard).toHaveLength(1);
    expect(line.reads.begun).toEqual([0, 2]);
    await line.reads.free();
    expect(line.heard.slice(1)).toEqual([answer('m2')]);
  });

  test('after the end nothing is heard, and nobody asks what became of the reading', async () => {
    await using temporary = await aStore();
    using line = commandsOver(temporary, asking);
    const device = await registered(temporary.store);
    await line.ask(device);
    await line.says(device, 'm1');
    line[Symbol.dispose]();
    // A rejection that nobody handles would fail the run of the tests.
    await line.reads.fail(new Error('the store is closed'));
    await line.says(device, 'm1');
    expect(line.heard).toEqual([]);
    expect(line.reads.begun).toEqual([0]);
  });
});
