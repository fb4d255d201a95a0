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

test('a histogram is its buckets, its sum and its count, under one name', () => {
  const lines = exposition([
    {
      name: 'gatehouse_acknowledgement_seconds',
      help: 'Acknowledgements.',
      type: 'histogram',
      values: [
        { suffix: '_bucket', labels: { le: '+Inf' }, value: 2 },
        { suffix: '_sum', value: 0.5 },
        { suffix: '_count', value: 2 },
      ],
    },
  ]);
  expect(lines.split('\n').slice(1)).toEqual([
    '# TYPE gatehouse_acknowledgement_seconds histogram',
    'gatehouse_acknowledgement_seconds_bucket{le="+Inf"} 2',
    'gatehouse_acknowledgement_seconds_sum 0.5',
    'gatehouse_acknowledgement_seconds_count 2',
    '',
  ]);
});
