import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { engines } from '../../support/gateway.ts';
import { anMqttGateway, connect, publish } from '../../support/mqtt-gateway.ts';

describe.each(engines)('%s', (_name, engine) => {
  test('publishing alone keeps a connection alive; one and a half keep-alive periods of silence end it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await using gateway = await anMqttGateway({ ...engine });
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
});
