import { expect, test } from 'vitest';
import { exposition } from '../../src/operations/index.ts';

test('figures are written as Prometheus reads them, whatever stands in a label', () => {
  expect(
    exposition([
      { name: 'gatehouse_waiting', help: 'Records that wait.', type: 'gauge', values: [{ value: 3 }] },
      {
        name: 'gatehouse_events',
        help: 'Events.',
        type: 'counter',
        values: [{ labels: { kind: 'a "b"\\\n' }, value: 1 }],
      },
    ]),
  ).toBe(
    [
      '# HELP gatehouse_waiting Records that wait.',
      '# TYPE gatehouse_waiting gauge',
      'gatehouse_waiting 3',
      '# HELP gatehouse_events Events.',
      '# TYPE gatehouse_events counter',
      'gatehouse_events{kind="a \\"b\\"\\\\\\n"} 1',
      '',
    ].join('\n'),
  );
});
