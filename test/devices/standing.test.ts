import { expect, test } from 'vitest';
import { HandClock } from '../support/clock.ts';
import { aGateway, ask, type Gateway, passwordOf } from '../support/gateway.ts';
import { aProduct, applied, aStore } from '../support/store.ts';
import { until } from '../support/until.ts';

const connect = (gateway: Gateway, id: string, key?: string) =>
  ask(`${gateway.httpUrl}/api/connect/${id}`, {
    body: JSON.stringify({ clientId: id, userName: 'FACE-T1', password: passwordOf(id, key), keepAliveTime: 60 }),
  });
const noStates = { online: 0, held_back: 0, refused: 0, elsewhere: 0, silent: 0, never: 0, blocked: 0 };

test('every known device is in one state, before and after a restart', async () => {
  const clock = new HandClock();
  await using opened = await aStore({ clock });
  await applied(opened.store, {
    products: [aProduct()],
    devices: ['A1', 'A2', 'A3', 'A4'].map(sn => ({ device_id: `FACE-T1_${sn}` })),
  });
  {
    await using gateway = await aGateway({ clock, opened });
    expect(gateway.devices.status()).toMatchObject({ known: 4, states: { ...noStates, never: 4 } });
    await connect(gateway, 'FACE-T1_A1');
    await connect(gateway, 'FACE-T1_A2');
    await connect(gateway, 'FACE-T1_A3', 'mistyped');
    // Its product is known, the device is not: it is refused, and not one of the known.
    await connect(gateway, 'FACE-T1_NEW', 'mistyped');
    const { deviceNo } = gateway.store.directory.device('FACE-T1_A2' as never)!;
    await gateway.store.write.setBlocked({ deviceNo, blocked: true });
    const states = { ...noStates, online: 1, refused: 1, never: 1, blocked: 1 };
    expect(gateway.devices.status()).toEqual({ known: 4, online: 1, held_back: 0, refused: 2, states });
    await until('the refusals are written', async () => (await gateway.store.read.refusals()).length === 2);
  }
  {
    await using gateway = await aGateway({ clock, opened });
    const { states, refused } = gateway.devices.status();
    expect([refused, states]).toEqual([2, { ...noStates, silent: 1, refused: 1, never: 1, blocked: 1 }]);
    await connect(gateway, 'FACE-T1_A3');
    expect(gateway.devices.status()).toMatchObject({ refused: 1, states: { online: 1, refused: 0 } });
  }
});

test('a refusal counts for a day, and not once what was missing is added', async () => {
  await using gateway = await aGateway({ clock: new HandClock() });
  await connect(gateway, 'FACE-T1_A1', 'mistyped');
  await connect(gateway, 'GATE-X1_A1');
  expect(gateway.devices.status().refused).toBe(2);
  await applied(gateway.store, { products: [aProduct({ product_id: 'GATE-X1' })] });
  expect(gateway.devices.status().refused).toBe(1);
  await gateway.clock.advance(24 * 3600_000);
  expect(gateway.devices.status().refused).toBe(0);
});
