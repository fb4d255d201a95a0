import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/runtime/log.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import { SpeechBusy, SpeechFailed, SpeechUnavailable } from '../../../src/services/speech/errors.ts';
import { openSpeech, type Speech, type SpeechOptions } from '../../../src/services/speech/speech.ts';
import { HandClock } from '../../support/clock.ts';
import { keptLog } from '../../support/kept-log.ts';
import { suiteNeeding } from '../../support/tools.ts';
import { until } from '../../support/until.ts';

const fakeVoice = fileURLToPath(new URL('fake-voice.ts', import.meta.url));
let folder: string;
const opened: Speech[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'speech-'));
});
afterEach(() => {
  for (const speech of opened.splice(0)) speech.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const open = (options: Partial<SpeechOptions> = {}): Speech => {
  const speech = openSpeech({ clock: realClock, log: silentLog, ...options });
  opened.push(speech);
  return speech;
};
const fake = (what: string, file = join(folder, 'held'), options: Partial<SpeechOptions> = {}): Speech =>
  open({ command: [process.execPath, fakeVoice, what, file], ...options });

/** The pids of the programs that hold, as one text. */
const held = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test("a site's own program is given the whole text, and its WAV becomes mp3", async () => {
  const { mp3, seconds } = await fake('speak').speak('Tom 打卡成功', 0);
  expect(seconds).toBeCloseTo(0.8);
  expect([mp3[0], mp3[1]! >> 5]).toEqual([0xff, 7]);
});

test('a program that takes too long is killed', async () => {
  const clock = new HandClock();
  const file = join(folder, 'held');
  const speech = fake('hold', file, { clock, limitMs: 3000 });
  const spoken = expect(speech.speak('你好', 0)).rejects.toThrow(new SpeechFailed('took longer than 3 s'));
  const pid = await until('the program runs', () => Number(held(file)));
  await clock.advance(3000);
  await spoken;
  await until('the program is gone', () => !alive(pid));
});

test('with the program it is over for what the program started', async () => {
  const script = join(folder, 'voice.sh');
  writeFileSync(script, `#!/bin/sh\nsleep 1000 &\necho $! > "${folder}/child"\nwait\n`);
  chmodSync(script, 0o755);
  const clock = new HandClock();
  const speech = open({ command: [script], clock });
  const spoken = expect(speech.speak('你好', 0)).rejects.toThrow(SpeechFailed);
  const pid = await until('the child runs', () => Number(held(join(folder, 'child'))));
  await clock.advance(10_000);
  await spoken;
  await until('the child is gone', () => !alive(pid));
});

test('one is spoken at a time, the others in order; one too many is refused at once', async () => {
  const file = join(folder, 'held');
  const speech = fake('hold', file, { waitingMax: 2 });
  const order: string[] = [];
  const speak = async (text: string) => {
    await speech.speak(text, 0);
    order.push(text);
  };
  const spoken = [speak('一'), speak('二'), speak('三')];
  const first = await until('the first runs', () => held(file));
  await expect(speech.speak('四', 0)).rejects.toThrow(new SpeechBusy(2));
  expect(held(file)).toBe(first);
  writeFileSync(`${file}.go`, '');
  await Promise.all(spoken);
  expect(order).toEqual(['一', '二', '三']);
  await speech.speak('五', 0);
});

test('a caller that stops waiting frees its place; one that stops while its text is spoken ends the program', async () => {
  const file = join(folder, 'held');
  const speech = fake('hold', file, { waitingMax: 1 });
  const gone = new Error('gone');
  const speaking = new AbortController();
  const waiting = new AbortController();
  const first = expect(speech.speak('一', 0, speaking.signal)).rejects.toBe(gone);
  const pid = await until('the first runs', () => Number(held(file)));
  const second = expect(speech.speak('二', 0, waiting.signal)).rejects.toBe(gone);
  await expect(speech.speak('三', 0)).rejects.toThrow(SpeechBusy);
  waiting.abort(gone);
  await second;
  const third = speech.speak('三', 0);
  writeFileSync(`${file}.go`, '');
  speaking.abort(gone);
  await first;
  await until('the program is gone', () => !alive(pid));
  expect((await third).seconds).toBeCloseTo(0.1);
  await expect(speech.speak('四', 0, AbortSignal.abort(gone))).rejects.toBe(gone);
});

test('closed: what runs is killed, what waits and what comes is refused', async () => {
  const file = join(folder, 'held');
  const speech = fake('hold', file);
  const all = ['一', '二'].map(text => expect(speech.speak(text, 0)).rejects.toThrow(new SpeechFailed('closed')));
  const pid = await until('the first runs', () => Number(held(file)));
  speech.close();
  await Promise.all(all);
  await expect(speech.speak('三', 0)).rejects.toThrow(new SpeechFailed('closed'));
  await until('the program is gone', () => !alive(pid));
});

test.each([
  ['garbage', 'the answer is no WAV file'],
  ['silence', 'nothing in the text can be spoken'],
  ['endless', /wrote more than 16777216 bytes$/],
  ['complain', /ended with code 3: no such voice$/],
])('a program that answers with %s has failed, and the next text is spoken all the same', async (what, reason) => {
  const { log, lines } = keptLog();
  const speech = fake(what, '', { log });
  await expect(speech.speak('私密的话', 0)).rejects.toThrow(reason);
  await expect(speech.speak('私密的话', 0)).rejects.toBeInstanceOf(SpeechFailed);
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain('私密');
});

test("the program does not get the box's environment", async () => {
  vi.stubEnv('GATEHOUSE_SECRET', 'x');
  expect((await fake('secret').speak('好', 0)).seconds).toBeGreaterThan(0);
});

test('a missing program: the remedy is named, and an installation is noticed', async () => {
  vi.stubEnv('PATH', folder);
  const speech = open();
  expect(await speech.available()).toBe(false);
  await expect(speech.speak('你好', 0)).rejects.toThrow(
    new SpeechUnavailable('espeak-ng', 'apt-get install espeak-ng'),
  );
  writeFileSync(join(folder, 'espeak-ng'), '#!/bin/sh\n');
  expect(await speech.available()).toBe(false);
  chmodSync(join(folder, 'espeak-ng'), 0o755);
  expect(await speech.available()).toBe(true);
  const own = open({ command: [join(folder, 'piper')] });
  expect(await own.available()).toBe(false);
  await expect(own.speak('你好', 0)).rejects.toThrow(/piper cannot be started: check the command in the config$/);
});

suiteNeeding('espeak-ng', 'espeak-ng', 'espeak-ng', () => {
  suiteNeeding('mpg123', 'mpg123', 'and mpg123', () => {
    /** Seconds of sound in an mp3, by a decoder that did not make it. */
    const decoded = (mp3: Uint8Array): number => {
      const file = join(folder, 'decoded');
      writeFileSync(`${file}.mp3`, mp3);
      const { status, stderr } = spawnSync('mpg123', ['-w', `${file}.wav`, `${file}.mp3`], { encoding: 'utf8' });
      expect(status).toBe(0);
      expect(stderr).not.toMatch(/error|warn/i);
      return (readFileSync(`${file}.wav`).length - 44) / 2 / 22_050;
    };

    test.each([
      ['打卡成功', 0],
      ['单雄信', 1],
      ['Good morning, Tom', 0],
      ['Tom 在 3 号门 打卡成功，Welcome!', 0],
      ['现在是2026年11月21日8点30分，温度-3.5度', 0],
      ['好'.repeat(64), 0],
      ['-v en 你好 --help', 0],
      ['--help', 0],
      ['<speak><break time="60s"/>你好</speak>', 0],
      ['&lt; & < > "\' $(reboot) `id` ; | 你好', 0],
      ['[[_:_:]] 你好', 7],
    ])('%s (mode %i) is an mp3 as long as its WAV', async (text, mode) => {
      const { mp3, seconds } = await open().speak(text, mode);
      expect(seconds).toBeGreaterThan(0.3);
      expect(seconds).toBeLessThan(25);
      expect(Math.abs(decoded(mp3) - seconds)).toBeLessThan(0.1);
    });
  });

  test('markup is text: a pause in it makes no pause', async () => {
    const { seconds } = await open().speak('<break time="9s"/>你好', 0);
    expect(seconds).toBeLessThan(6);
  });

  test('a name in mode 1 sounds otherwise than the same text in mode 0, and the same each time', async () => {
    const speech = open();
    const [text, name, again] = [
      await speech.speak('单雄信', 0),
      await speech.speak('单雄信', 1),
      await speech.speak('单雄信', 1),
    ];
    expect(Buffer.from(name.mp3).equals(again.mp3)).toBe(true);
    expect(Buffer.from(name.mp3).equals(text.mp3)).toBe(false);
    expect(Buffer.from((await speech.speak('擅雄信', 2)).mp3).equals(name.mp3)).toBe(true);
  });
});
