import { expect, test } from 'vitest';
import { EventProgram, tokenFor } from '../support/event-program.ts';
import { aCoverageFolder } from '../support/modules-that-ran.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';

async function loadedWith(listen: Record<string, unknown>, act: (box: BoxProcess) => Promise<void>): Promise<string[]> {
  await using folder = await aCoverageFolder();
  await using box = await BoxProcess.start({ listen }, aSite(), { NODE_V8_COVERAGE: folder.path });
  await act(box);
  expect(await box.stop(), box.stderr).toBe(0);
  return (await folder.modulesThatRan()).filter(name => /aedes|^src\/events\//.test(name));
}

test('a box without listen.events loads nothing of the broker for programs', async () => {
  expect(await loadedWith({}, async () => {})).toEqual([]);
});

test('with it the broker is aedes', async () => {
  const loaded = await loadedWith({ events: '127.0.0.1:0' }, async box => {
    await using program = new EventProgram(box, 'wall', await tokenFor(box, 'wall'));
    expect(await program.subscribe('gatehouse/v1/line')).toBe(0);
  });
  expect(loaded).toContain('src/events/broker.ts');
  expect(loaded).toContain('node_modules/aedes/aedes.js');
});

test('on an address beyond this machine it speaks TLS, with the certificate of the box', async () => {
  await using box = await BoxProcess.start({ listen: { events: '0.0.0.0:0' } }, aSite());
  const token = await tokenFor(box, 'wall');
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const secure = { ca, protocol: 'mqtts', rejectUnauthorized: true } as const;
  await using program = new EventProgram(box, 'wall', token, secure);
  expect(await program.subscribe('gatehouse/v1/line')).toBe(0);
  await using plain = new EventProgram(box, 'wall', token);
  await new Promise<void>(resolve => plain.client.once('close', () => resolve()));
  expect(plain.client.connected).toBe(false);
});
