import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { fullStrength, hashPassword, verifyPassword } from '../../src/accounts/index.ts';
import { lightHash } from '../support/hash-strength.ts';

test.each([
  ['full', fullStrength, 'm=19456,t=2,p=1'],
  ['light', lightHash, 'm=64,t=1,p=1'],
])(
  'at %s strength a password is kept as Argon2id with a salt of its own, and only it is accepted',
  async (_, strength, kept) => {
    const one = await hashPassword('correct horse', strength);
    const other = await hashPassword('correct horse', strength);
    for (const hash of [one, other]) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$[^$]+\$[\w+/]{22}\$[\w+/]{43}$/);
      expect(hash.split('$')[3]).toBe(kept);
    }
    expect(one).not.toBe(other);
    expect(await verifyPassword('correct horse', one)).toBe(true);
    expect(await verifyPassword('correct horsf', one)).toBe(false);
  },
);

test('a hash at full strength is 2 passes over 19 MiB', async () => {
  const [, , , , salt, tag] = (await hashPassword('correct horse', fullStrength)).split('$');
  const nonce = Buffer.from(salt!, 'base64');
  const owasp = { memory: 19 * 1024, passes: 2, parallelism: 1, tagLength: 32 };
  expect(argon2Sync('argon2id', { message: 'correct horse', nonce, ...owasp })).toEqual(Buffer.from(tag!, 'base64'));
});

test('the hash of another program is understood', async () => {
  // printf password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32 -e, from the reference
  // implementation's test vectors
  const kept = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', kept)).toBe(true);
});

test.each(['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXP', '$argon2id$v=19$m=8$x$y'])(
  'what is no such hash, %j, lets nobody in',
  async kept => expect(await verifyPassword('password', kept)).toBe(false),
);

test('the same letters typed in another way are the same password', async () => {
  expect(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait', lightHash))).toBe(true);
});
