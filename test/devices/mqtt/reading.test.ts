import { expect, test } from 'vitest';
import { anMqttGateway, connect, publish } from '../../support/mqtt-gateway.ts';

test('a device is not read while the journal is full, and goes on where it was when there is room', async () => {
  await using gateway = await anMqttGateway();
  await gateway.feed(connect);
  gateway.state.congested = true;
  await gateway.feed(publish({ payload: 'first' }));
  await gateway.feed(publish({ payload: 'second' }));
  expect(gateway.taken).toEqual([]);
  await gateway.drain();
  expect(gateway.taken).toEqual(['device first', 'device second']);
});

test('messages that come in more pieces than one at a time are not left lying', async () => {
  await using gateway = await anMqttGateway();
  const [one, two] = [publish({ payload: 'one' }), publish({ payload: 'two' })];
  await gateway.feed(connect);
  await gateway.feed(one, two.subarray(0, 5), two.subarray(5, 8), two.subarray(8));
  expect(gateway.taken).toEqual(['device one', 'device two']);
});

test('a device that went while it was not read is heard to its end', async () => {
  await using gateway = await anMqttGateway();
  await gateway.feed(connect);
  gateway.state.congested = true;
  await gateway.feed(publish({ payload: 'the last' }));
  await gateway.hangUp();
  expect(gateway.ended()).toBe(false);
  await gateway.drain();
  expect([gateway.taken, gateway.ended()]).toEqual([['device the last'], true]);
});

test('one that was kicked meanwhile is not woken', async () => {
  await using gateway = await anMqttGateway();
  await gateway.feed(connect);
  gateway.state.congested = true;
  await gateway.feed(publish({ payload: 'late' }));
  await gateway.kick();
  await gateway.drain();
  expect([gateway.taken, gateway.ended()]).toEqual([[], true]);
});

test('a device that is not read because the journal is full is not held to its keep alive', async () => {
  await using gateway = await anMqttGateway();
  await gateway.feed(connect);
  gateway.state.congested = true;
  await gateway.feed(publish({ payload: 'late' }));
  await gateway.pass(90_000);
  expect(gateway.ended()).toBe(false);
  await gateway.drain();
  expect(gateway.taken).toEqual(['device late']);
  await gateway.pass(44_000);
  expect(gateway.ended()).toBe(false);
  await gateway.pass(3_000);
  expect(gateway.ended()).toBe(true);
});
