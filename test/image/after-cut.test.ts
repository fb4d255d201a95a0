import { expect, test } from 'vitest';
import { slotStarted } from './after-cut.ts';

/** `firmware-images/generic-arm64/grub.cfg` is what this has to follow. */
const environment = (values: Record<string, string>) => new Map(Object.entries(values));

test('GRUB starts the first slot of the order that is marked good and has tries left', () => {
  expect(slotStarted(environment({ ORDER: 'B A', A_OK: '1', A_TRY: '0', B_OK: '1', B_TRY: '2' }))).toBe('B');
  expect(slotStarted(environment({ ORDER: 'B A', A_OK: '1', A_TRY: '0', B_OK: '1', B_TRY: '3' }))).toBe('A');
  expect(slotStarted(environment({ ORDER: 'A B', A_OK: '0', A_TRY: '0', B_OK: '1', B_TRY: '0' }))).toBe('B');
});

test('GRUB begins to count anew where no slot has tries left', () => {
  expect(slotStarted(environment({ ORDER: 'B A', A_OK: '1', A_TRY: '3', B_OK: '1', B_TRY: '3' }))).toBe('B');
});

test('GRUB starts slot A where it knows nothing', () => {
  expect(slotStarted(null)).toBe('A');
  expect(slotStarted(environment({ ORDER: 'B A', A_OK: '0', A_TRY: '0', B_OK: '0', B_TRY: '0' }))).toBe('A');
});
