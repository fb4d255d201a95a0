import { expect, test } from 'vitest';
import { anMqttGateway, connect, publish } from '../../support/mqtt-gateway.ts';

test('publishing alone keeps a connection alive; one and a half keep-alive periods of silence end it', async () => {
  await using gateway = await anMqttGateway();
  await gateway.feed(connect);
  for (let id = 1; id <= 5; id++) {
    await gateway.pass(30_000);
    await gateway.feed(publish({ id }));
    await gateway.commit();
  }
  await gateway.pass(44_000);
  expect(gateway.ended()).toBe(false);
  await gateway.pass(3_000);
  expect(gateway.ended()).toBe(true);
});
