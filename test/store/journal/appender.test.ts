import { expect, test } from 'vitest';
import { Appender } from '../../../src/store/journal/appender.ts';
import { Lag, lagBound } from '../../../src/store/journal/lag.ts';
import { type DeviceNo, StoreError } from '../../../src/store/port/journal.ts';
import type { AppendListener, WriterProxy } from '../../../src/store/writer/proxy.ts';
import { HandClock } from '../../support/clock.ts';

/** An appender whose groups the test commits or fails. */
function anAppender() {
  const groups: { readonly records: number; readonly listener: AppendListener }[] = [];
  const writer = {
    closed: false,
    state: { health: 'ok' },
    append(chunks: readonly { readonly count: number }[], listener: AppendListener) {
      groups.push({ records: chunks.reduce((sum, { count }) => sum + count, 0), listener });
    },
  };
  const appender = new Appender(writer as unknown as WriterProxy, new Lag(lagBound, 0, 0, 0), new HandClock());
  const answers: string[] = [];
  return {
    groups,
    answers,
    async say(name: string) {
      const record = { deviceNo: 1 as DeviceNo, channel: 'device', receivedAt: 1, logPath: '', marks: {} } as const;
      const onCommitted = (error: StoreError | null) => void answers.push(`${name}: ${error?.code ?? 'stored'}`);
      appender.append({ ...record, payload: Buffer.from(name) }, { onCommitted });
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

test('what was appended behind a group that fails fails with it, so that nothing overtakes what is sent again', async () => {
  const { groups, answers, say } = anAppender();
  await say('first');
  await say('second');
  groups[0]!.listener.onAppended(new StoreError('disk_full', 'no room'), []);
  await say('first again');
  expect(answers).toEqual(['first: disk_full', 'second: disk_full']);
  groups[1]!.listener.onAppended(null, []);
  expect(groups.map(({ records }) => records)).toEqual([1, 1]);
  expect(answers.at(-1)).toBe('first again: stored');
});
