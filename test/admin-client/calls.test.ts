import { expectTypeOf, test } from 'vitest';
import type { AnswerOf, AskedOf, PathOf } from '../../src/admin-client/calls.ts';

/** Held by the compiler: a page that does one of these wrong does not pass `npm run typecheck`. */

test('an answer has the fields of the operation, and no others', () => {
  expectTypeOf<AnswerOf<'get', '/today'>>().toHaveProperty('silent');
  expectTypeOf<AnswerOf<'get', '/today'>>().not.toHaveProperty('silence');
  expectTypeOf<AnswerOf<'post', '/disk/free'>['freed_bytes']>().toEqualTypeOf<number>();
});

test('a page can ask only for served paths, with their parameters', () => {
  expectTypeOf<'/devices/{id}/page'>().toExtend<PathOf<'get'>>();
  expectTypeOf<'/devices/{id}/pages'>().not.toExtend<PathOf<'get'>>();
  expectTypeOf<{ id: string; limit: number }>().toExtend<AskedOf<'get', '/devices/{id}/ledger'>>();
  expectTypeOf<{ limit: number }>().not.toExtend<AskedOf<'get', '/devices/{id}/ledger'>>();
  expectTypeOf<{ seq: string }>().not.toExtend<AskedOf<'post', '/parked/send-again'>>();
});
