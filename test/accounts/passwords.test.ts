import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '../../src/accounts/index.ts';

test('a password is kept as Argon2id with a salt of its own, and only it is accepted', async () => {
  const one = await hashPassword('correct horse');
  const other = await hashPassword('correct horse');
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword('correct horse', one)).toBe(true);
  expect(await verifyPassword('correct horsf', one)).toBe(false);
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
  expect(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
});
