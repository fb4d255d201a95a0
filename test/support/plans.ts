import type { Shift } from '../../src/platform/shifts.ts';

const base: Omit<Shift, 'code' | 'name' | 'segments'> = {
  ...{ validFrom: '0000-01-01', kind: 'fixed', breaks: [], lateGrace: 5, earlyGrace: 5, flexLate: 0, flexEarly: 0 },
  ...{ lateOffLateOn: [], requiredMinutes: 0, counting: 'first_last' },
  overtime: { before: false, after: true, min: 30, step: 30 },
};
const segment = { before: 180, after: 360, needIn: true, needOut: true };

/** 09:00 to 18:00 with a break at noon. */
export const aDayShift = (overrides: Partial<Shift> = {}): Shift => ({
  ...base,
  ...{ code: 'day', name: 'Day', segments: [{ ...segment, on: 540, off: 1080 }] },
  breaks: [{ from: 720, to: 780, paid: false }],
  ...overrides,
});

/** 22:00 to 06:00. */
export const aNightShift = (overrides: Partial<Shift> = {}): Shift => ({
  ...base,
  ...{ code: 'night', name: 'Night', segments: [{ ...segment, before: 120, after: 240, on: 1320, off: 1800 }] },
  ...overrides,
});
