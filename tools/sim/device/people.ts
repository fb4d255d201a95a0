import type { Random, UnixMs } from '../../../src/runtime/clock.ts';

export interface Person {
  readonly extId: string;
  readonly name: string;
  readonly employeeNum: string;
  readonly department: string;
}

const families = [
  'Li',
  'Wang',
  'Zhang',
  'Liu',
  'Chen',
  'Yang',
  'Zhao',
  'Huang',
  'Zhou',
  'Wu',
  'Xu',
  'Sun',
  'Ma',
  'Zhu',
];
const givenNames = [
  'Mei',
  'Wei',
  'Fang',
  'Jun',
  'Na',
  'Qiang',
  'Lei',
  'Yan',
  'Jie',
  'Tao',
  'Min',
  'Hao',
  'Ling',
  'Bo',
  'Xin',
];
const departments = ['Assembly', 'Paint shop', 'Quality', 'Warehouse', 'Canteen', 'Office'];

/** The staff of a simulated site: the same people for the same `count`. */
export const staff = (count: number): readonly Person[] =>
  Array.from({ length: count }, (_, index) => ({
    extId: `e${index + 1}`,
    name: `${families[index % families.length]} ${givenNames[Math.floor(index / families.length + index) % givenNames.length]}`,
    employeeNum: String(1001 + index),
    department: departments[index % departments.length]!,
  }));

export type Shape = 'steady' | 'lunch';

/**
 * How busy a door is at a moment, as a multiple of its mean. `lunch`: each minute of simulated time
 * stands for a shift, with a quiet half, a rush of ten seconds when everybody goes to eat, and
 * another when they come back; the mean over a minute is 1.
 */
export function crowd(shape: Shape, now: UnixMs): number {
  if (shape === 'steady') return 1;
  const second = (now / 1000) % 60;
  return (second >= 20 && second < 30) || (second >= 40 && second < 50) ? 2.6 : 0.2;
}

/** A random item of the list. */
export const oneOf = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!;
