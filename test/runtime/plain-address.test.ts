import { expect, test } from 'vitest';
import { plainAddress } from '../../src/runtime/plain-address.ts';

test.each([
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:a09:806', '10.9.8.6'],
  ['0:0:0:0:0:ffff:0a09:0806', '10.9.8.6'],
  ['::ffff:0:1', '0.0.0.1'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:DB8::7', '2001:db8::7'],
  ['::1', '::1'],
  ['1::ffff:a09:806', '1::ffff:a09:806'],
  ['::ffff:0:a09:806', '::ffff:0:a09:806'],
  ['', ''],
])('%s is %s', (written, plain) => expect(plainAddress(written)).toBe(plain));
