import { expect, test } from 'vitest';
import { BrowserAddresses } from '../../src/listeners/browser-addresses.ts';
import { handshakeTrouble } from '../../src/listeners/handshakes.ts';
import { HandClock } from '../support/clock.ts';

/** As Chromium refuses a certificate that it does not trust. */
const refused = new Error(handshakeTrouble({ message: 'sslv3 alert certificate unknown' }));
const day = 24 * 3600_000;

test('a failed handshake is a browser’s where pages were asked for, for a day', async () => {
  const clock = new HandClock();
  const browsers = new BrowserAddresses(clock);
  expect(browsers.failed('::ffff:192.0.2.7', refused)).toBe(false);
  expect(browsers.came('192.0.2.7')).toBe(true);
  expect(browsers.failed('192.0.2.7', refused)).toBe(true);
  expect([browsers.has('::ffff:192.0.2.7'), browsers.has('192.0.2.8')]).toEqual([true, false]);
  // A terminal that never asks for pages stays a device.
  expect(browsers.failed('192.0.2.8', refused)).toBe(false);
  await clock.advance(day);
  expect(browsers.has('192.0.2.7')).toBe(false);
  expect(browsers.came('192.0.2.7')).toBe(false);
});

test('a connection that breaks off says nothing about the certificate', () => {
  const browsers = new BrowserAddresses(new HandClock());
  browsers.failed('192.0.2.7', new Error(handshakeTrouble({ code: 'ECONNRESET', message: 'read ECONNRESET' })));
  expect(browsers.came('192.0.2.7')).toBe(false);
});
