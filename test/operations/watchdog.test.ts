import { describe, expect, test } from 'vitest';
import { askForTime, feedWatchdog } from '../../src/operations/index.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';
import { NotifySocket } from '../support/notify-socket.ts';
import { BoxProcess } from '../support/program.ts';
import { suiteNeeding } from '../support/tools.ts';

const env = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) };

function watched(headline: () => Promise<string>, environment: NodeJS.ProcessEnv = env) {
  const clock = new HandClock();
  const sent: string[] = [];
  const { log, texts } = keptLog();
  const feeding = feedWatchdog({
    notify: async state => void sent.push(state),
    env: environment,
    clock,
    log,
    headline,
  });
  return { clock, sent, errors: texts.error, [Symbol.dispose]: () => feeding[Symbol.dispose]() };
}
const fed = (sent: readonly string[]) => sent.filter(state => state.includes('WATCHDOG=1'));

describe('the watchdog', () => {
  test('is fed every half of its time while the store answers, with how the box stands', async () => {
    using box = watched(async () => '12 devices online; cloud away, 318 wait');
    await box.clock.advance(44_000);
    expect(box.sent).toEqual([
      'WATCHDOG_USEC=30000000',
      ...Array(3).fill('WATCHDOG=1\nSTATUS=12 devices online; cloud away, 318 wait'),
    ]);
  });

  test('is not fed while reading the store fails, and again when it answers', async () => {
    let broken = true;
    using box = watched(async () => {
      if (broken) throw new Error('the writer has died');
      return 'well';
    });
    await box.clock.advance(31_000);
    expect(fed(box.sent)).toEqual([]);
    expect(box.sent.at(-1)).toBe('STATUS=the store does not answer: the writer has died');
    expect(box.errors).toHaveLength(1);
    broken = false;
    await box.clock.advance(15_000);
    expect(fed(box.sent)).toHaveLength(1);
  });

  test('is not fed while the store says nothing', async () => {
    using box = watched(() => new Promise(() => {}));
    await box.clock.advance(60_000);
    expect(fed(box.sent)).toEqual([]);
    expect(box.sent.at(-1)).toBe('STATUS=the store does not answer: not within 10 s');
  });

  test('of another process is left alone: only the status line is sent', async () => {
    using box = watched(async () => 'well', { ...env, WATCHDOG_PID: '1' });
    await box.clock.advance(1000);
    expect(box.sent).toEqual(['STATUS=well']);
  });

  test('is not fed once the box closes', async () => {
    const box = watched(async () => 'well');
    await box.clock.advance(1000);
    box[Symbol.dispose]();
    await box.clock.advance(60_000);
    expect(fed(box.sent)).toHaveLength(1);
  });
});

test('a start asks for the time that a migration of a large store takes, and for more while it goes on', async () => {
  const clock = new HandClock();
  const sent: string[] = [];
  const starting = await askForTime({
    notify: async state => void sent.push(state),
    env: { NOTIFY_SOCKET: '/run/notify' },
    bytes: 4e9,
    clock,
  });
  await clock.advance(25_000);
  starting[Symbol.dispose]();
  await clock.advance(60_000);
  expect(sent).toEqual(['EXTEND_TIMEOUT_USEC=2060000000', 'EXTEND_TIMEOUT_USEC=60000000']);
});

test('a box that is opened again in its process is watched less closely until it serves again', async () => {
  const clock = new HandClock();
  const sent: string[] = [];
  using _ = await askForTime({ notify: async state => void sent.push(state), env, bytes: 2e9, clock });
  expect(sent).toEqual(['EXTEND_TIMEOUT_USEC=1060000000\nWATCHDOG_USEC=1060000000']);
});

suiteNeeding('python3', 'python3', 'a box under a service manager', () => {
  test('asks for time, is ready, feeds the watchdog, and stops', async () => {
    await using systemd = await NotifySocket.open();
    const start = () =>
      BoxProcess.start({}, {}, { NOTIFY_SOCKET: systemd.address, WATCHDOG_USEC: '400000', WATCHDOG_PID: '' });
    await using box = await start();
    await systemd.message(state => state.includes('STATUS=0 devices online; stands alone'));
    const kinds = systemd.heard.map(state => state.replace(/=.*/s, ''));
    expect(kinds.slice(0, 4)).toEqual(['EXTEND_TIMEOUT_USEC', 'READY', 'WATCHDOG_USEC', 'WATCHDOG']);
    await systemd.message(state => state.startsWith('WATCHDOG=1'), systemd.heard.length);
    const stopped = systemd.heard.length;
    await box.stop();
    await systemd.message(state => state === 'STOPPING=1', stopped);
  });
});
