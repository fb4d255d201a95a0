import { describe, expect, test } from 'vitest';
import { framings } from '../../support/gateway.ts';
import { anMqttGateway, connect, publish } from '../../support/mqtt-gateway.ts';

describe.each(framings)('%s', (_name, { mqttFraming: framing }) => {
  test('a device is not read while the journal is full, and goes on where it was when there is room', async () => {
    await using door = await anMqttGateway({ framing });
    await door.feed(connect);
    door.state.congested = true;
    await door.feed(publish({ payload: 'first' }));
    await door.feed(publish({ payload: 'second' }));
    expect(door.taken).toEqual([]);
    await door.drain();
    expect(door.taken).toEqual(['device first', 'device second']);
  });

  test('messages that come in more pieces than one at a time are not left lying', async () => {
    await using door = await anMqttGateway({ framing });
    const [one, two] = [publish({ payload: 'one' }), publish({ payload: 'two' })];
    await door.feed(connect);
    await door.feed(one, two.subarray(0, 5), two.subarray(5, 8), two.subarray(8));
    expect(door.taken).toEqual(['device one', 'device two']);
  });

  test('a device that went while it was not read is heard to its end', async () => {
    await using door = await anMqttGateway({ framing });
    await door.feed(connect);
    door.state.congested = true;
    await door.feed(publish({ payload: 'the last' }));
    await door.hangUp();
    expect(door.ended()).toBe(false);
    await door.drain();
    expect([door.taken, door.ended()]).toEqual([['device the last'], true]);
  });

  test('one that was kicked meanwhile is not woken', async () => {
    await using door = await anMqttGateway({ framing });
    await door.feed(connect);
    door.state.congested = true;
    await door.feed(publish({ payload: 'late' }));
    await door.kick();
    await door.drain();
    expect([door.taken, door.ended()]).toEqual([[], true]);
  });
});
