import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { failureOfState, stateOf } from '../../../src/store/schema/engine-failures.ts';

test('an error of the system that looks like a SQLSTATE means that the connection broke', () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect([stateOf(gone), failureOfState(stateOf(gone))]).toEqual(['', 'broken']);
});

test('an error of the server has its state', () => {
  const refused = Object.assign(new DatabaseError('no room', 7, 'error'), { code: '53100', severity: 'ERROR' });
  expect([stateOf(refused), failureOfState(stateOf(refused))]).toEqual(['53100', 'disk_full']);
});
