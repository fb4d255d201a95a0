import { expect, test } from 'vitest';
import { CheckQueue } from '../../src/accounts/check-queue.ts';
import { addressKey, GuessBrake } from '../../src/accounts/guess-brake.ts';
import { KnownBrowsers } from '../../src/accounts/known-browsers.ts';
import { Logins } from '../../src/accounts/logins.ts';
import { fullStrength, hashPassword } from '../../src/accounts/passwords.ts';
import { countedHere } from '../../src/runtime/guess-windows.ts';
import { HandClock } from '../support/clock.ts';
import { lightHash } from '../support/hash-strength.ts';
import { processorTimesOf } from '../support/processor-time.ts';
import { applied, aStore } from '../support/store.ts';

const right = 'correct horse';
const attacker = '192.0.2.66';
const office = '192.0.2.7';

async function someLogins(hashStrength = lightHash) {
  const opened = await aStore();
  const password_hash = await hashPassword(right, hashStrength);
  await applied(opened.store, { users: [{ name: 'mei', password_hash, role: 'admin' }] });
  const clock = new HandClock();
  const logins = new Logins({ read: opened.store.read, clock, hashStrength, counts: countedHere });
  const login = async (password: string, address = office, known: string | null = null, name = 'mei') => {
    const outcome = await logins.login({ name, password, address, known });
    return outcome.ok ? 'in' : outcome.why;
  };
  return { login, logins, clock, opened, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

test('nobody can lock somebody else out: after 200 wrong tries for a name from many addresses the right password works', async () => {
  await using box = await someLogins();
  for (let turn = 0; turn < 200; turn++) await box.login(`guess ${turn}`, `192.0.2.${100 + (turn % 100)}`);
  expect(await box.login(right)).toBe('in');
});

test('an unknown name costs as much processor time as a known one', async () => {
  await using box = await someLogins(fullStrength);
  // The first login hashes a password of nobody, for all unknown names.
  await box.login('guess', attacker, null, 'nobody');
  const names = ['mei', 'nobody'];
  const [known, unknown] = await processorTimesOf(
    names.map(name => turn => box.login('guess', `192.0.2.${100 + turn}`, null, name)),
  );
  // A login without a hash, or with a light one, costs a hundredth.
  expect(unknown! / known!).toBeLessThan(3);
  expect(known! / unknown!).toBeLessThan(3);
});

test('right logins use nothing up', async () => {
  await using box = await someLogins();
  for (let turn = 0; turn < 70; turn++) expect(await box.login(right)).toBe('in');
});

test('40 wrong logins at once from one address do not keep the one from another waiting behind them', async () => {
  await using box = await someLogins();
  const order: string[] = [];
  const flood = Array.from({ length: 40 }, (_, turn) =>
    box.login('guess', attacker, null, `nobody ${turn}`).then(outcome => order.push(outcome)),
  );
  const mine = box.login(right).then(outcome => order.push(outcome));
  await Promise.all([...flood, mine]);
  const looked = order.filter(outcome => outcome !== 'busy');
  // Behind the one under way, and at most one more turn of the other address.
  expect(looked.indexOf('in')).toBeLessThanOrEqual(2);
  expect(order.filter(outcome => outcome === 'busy').length).toBeGreaterThanOrEqual(30);
});

test('whoever guesses is slowed down to one try a minute for a name at an address', async () => {
  await using box = await someLogins();
  let looked = 0;
  for (let second = 0; second < 1800; second++) {
    if ((await box.login('guess', attacker)) === 'wrong') looked++;
    await box.clock.advance(1000);
  }
  expect(looked).toBeGreaterThan(30);
  expect(looked).toBeLessThan(45);
});

test('one address gets no more than 60 wrong tries in a minute looked at, whatever names it makes up', async () => {
  await using box = await someLogins();
  const outcomes: string[] = [];
  for (let turn = 0; turn < 80; turn++) outcomes.push(await box.login('guess', attacker, null, `nobody ${turn}`));
  expect(outcomes.filter(one => one === 'wrong')).toHaveLength(60);
  expect(await box.login(right)).toBe('in');
});

test('a name that is under attack from everywhere has one free try at a new address, and then a wait of seconds', async () => {
  await using box = await someLogins();
  for (let turn = 0; turn < 100; turn++) await box.login('guess', `198.51.100.${turn}`);
  expect(await box.login('typed wrong')).toBe('wrong');
  expect(await box.login(right)).toBe('wait');
  await box.clock.advance(1000);
  expect(await box.login(right)).toBe('in');
});

test('a browser that has signed in before is counted by itself, and slowed down too when it guesses', async () => {
  await using box = await someLogins();
  for (let turn = 0; turn < 20; turn++) await box.login(`guess ${turn}`);
  expect(await box.login(right)).toBe('wait');
  expect(await box.login(right, office, 'browser of mei')).toBe('in');
  let looked = 0;
  for (let turn = 0; turn < 40; turn++) if ((await box.login('guess', office, 'stolen')) === 'wrong') looked++;
  expect(looked).toBe(10);
});

test('a browser is known by a mark that this box alone can make, for the person who signed in with it', async () => {
  await using opened = await aStore();
  await using other = await aStore();
  const browsers = new KnownBrowsers({ read: opened.store.read });
  const cookie = await browsers.remember(undefined, 'mei');
  expect(cookie).not.toContain('mei');
  expect(await browsers.recognize(cookie, 'mei')).toMatch(/^[\w-]{22}$/);
  expect(await browsers.recognize(cookie, 'wu')).toBeNull();
  expect(await new KnownBrowsers({ read: other.store.read }).recognize(cookie, 'mei')).toBeNull();
  const changed = cookie.replace(/.$/, last => (last === '0' ? '1' : '0'));
  for (const wrong of [undefined, '', 'x', changed, '....', cookie.split('.')[0]!])
    expect(await browsers.recognize(wrong, 'mei')).toBeNull();

  // Several people share it; each keeps the own number, and a cookie does not grow for ever.
  let shared = cookie;
  for (const name of ['wu', 'li', 'zhang']) shared = await browsers.remember(shared, name);
  for (const name of ['mei', 'wu', 'li', 'zhang']) expect(await browsers.recognize(shared, name)).not.toBeNull();
  expect(await browsers.remember(shared, 'zhang')).toBe(shared);
  const fifth = await browsers.remember(shared, 'chen');
  expect(fifth.length).toBe(shared.length);
  expect(await browsers.recognize(fifth, 'mei')).toBeNull();
});

test('turns go round by key, known ones first, and are refused when too many wait', async () => {
  const turns = new CheckQueue({ perKey: 2, unknown: 3, known: 1 });
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const run = (key: string, isKnown = false) =>
    turns.run(key, isKnown, async () => {
      await gate.promise;
      done.push(key);
    });
  const started = [run('under way'), run('a'), run('a'), run('b')];
  expect(run('a')).toBeNull();
  expect(run('c')).toBeNull();
  started.push(run('staff', true));
  expect(run('staff 2', true)).toBeNull();
  gate.resolve();
  await Promise.all(started);
  expect(done).toEqual(['under way', 'staff', 'a', 'b', 'a']);
  // A task that fails holds nobody up.
  await expect(turns.run('a', false, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', false, async () => 'next')).toBe('next');
});

test('tries that are under way count as wrong until they have ended', () => {
  const brake = new GuessBrake({ free: 2, waitMaxMs: 60_000 });
  expect([1, 2].map(() => brake.begin('mei', 0))).toEqual([0, 0]);
  expect(brake.begin('mei', 0)).toBeGreaterThan(0);
  brake.end('mei', 0, 'right');
  expect(brake.begin('mei', 0)).toBe(0);
});

test('the brake holds so many keys and no more', () => {
  const brake = new GuessBrake({ free: 1, waitMaxMs: 1000, keysMax: 100 });
  for (let key = 0; key < 1000; key++) {
    brake.begin(String(key), key);
    brake.end(String(key), key, 'wrong');
  }
  expect(brake.size).toBe(100);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
