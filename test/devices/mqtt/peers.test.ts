import { describe, expect, test } from 'vitest';
import { anMqttGateway } from '../../support/mqtt-gateway.ts';
import { peerExchanges } from './peer-packets.ts';

describe.each(peerExchanges)('$peer: $does', ({ exchange, taken, notes }) => {
  test('is answered as recorded', async () => {
    await using gateway = await anMqttGateway();
    const answered: string[] = [];
    for (const [sent] of exchange) {
      await gateway.feed(Buffer.from(sent, 'hex'));
      await gateway.commit();
      answered.push(gateway.said().slice(answered.join('').length));
    }
    expect(answered).toEqual(exchange.map(([, answer]) => answer));
    expect([gateway.taken, gateway.notes, gateway.ended()]).toEqual([taken, notes, true]);
  });

  test('is answered the same when it comes byte by byte', async () => {
    await using gateway = await anMqttGateway();
    for (const [sent] of exchange) {
      for (const byte of Buffer.from(sent, 'hex')) await gateway.feed(Buffer.of(byte));
      await gateway.commit();
    }
    expect(gateway.said()).toBe(exchange.map(([, answer]) => answer).join(''));
    expect([gateway.taken, gateway.notes, gateway.ended()]).toEqual([taken, notes, true]);
  });
});
