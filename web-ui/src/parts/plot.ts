/**
 * Shapes of a picture as SVG paths. A plot is 1000 wide and 100 high, whatever its size on the page
 * (`preserveAspectRatio="none"`), so that nobody measures it and nothing moves. Null is a gap.
 */

export type Values = readonly (number | null)[];

export const plotWidth = 1000;
export const plotHeight = 100;
/** Above the largest value. */
const headroom = 6;

const xOf = (step: number, steps: number): number => round((step / steps) * plotWidth);
const yOf = (value: number, most: number): number =>
  round(plotHeight - (most > 0 ? (value / most) * (plotHeight - headroom) : 0));
const round = (value: number): number => Math.round(value * 100) / 100;

/** One bar for each value that is not 0, a fifth of a step apart. */
export function barsPath(values: Values, most: number, steps = values.length): string {
  let path = '';
  const gap = (plotWidth / steps) * 0.1;
  for (const [step, value] of values.entries()) {
    if (value === null || value <= 0) continue;
    const x = round(xOf(step, steps) + gap);
    const y = yOf(value, most);
    path += `M${x} ${plotHeight}V${y}H${round(xOf(step + 1, steps) - gap)}V${plotHeight}Z`;
  }
  return path;
}

/** A line through the middle of the steps; it breaks where there is no value. */
export function linePath(values: Values, most: number, steps = values.length): string {
  let path = '';
  let isDown = false;
  for (const [step, value] of values.entries()) {
    if (value !== null) {
      const x = round(xOf(step + 0.5, steps));
      // A value between two gaps would be a line of no length, which nobody sees.
      const isAlone = !isDown && (values[step + 1] ?? null) === null;
      path += `${isDown ? 'L' : 'M'}${x} ${yOf(value, most)}${isAlone ? `h${round(plotWidth / steps / 2)}` : ''}`;
    }
    isDown = value !== null;
  }
  return path;
}

/** The same as steps down to the ground, filled. */
export function areaPath(values: Values, most: number, steps = values.length): string {
  let path = '';
  for (const [step, value] of values.entries()) {
    if (value === null || value <= 0) continue;
    path += `M${xOf(step, steps)} ${plotHeight}V${yOf(value, most)}H${xOf(step + 1, steps)}V${plotHeight}Z`;
  }
  return path;
}

/** Where the largest value is, and the first such step; null: there is no value. */
export function peakOf(values: Values): { readonly step: number; readonly value: number } | null {
  let peak: { step: number; value: number } | null = null;
  for (const [step, value] of values.entries())
    if (value !== null && (peak === null || value > peak.value)) peak = { step, value };
  return peak;
}

/** 1, 2 or 5 times a power of ten, at least `value`: the top of a scale. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(times => times * power).find(top => top >= value)!;
}

export interface Tick {
  /** In parts of the width, 0 to 1. */
  readonly at: number;
  readonly text: string;
}

/** A mark every so many steps that `labelOf` has a text for. */
export function ticksOf(steps: number, labelOf: (step: number) => string | null): readonly Tick[] {
  const ticks: Tick[] = [];
  for (let step = 0; step < steps; step++) {
    const text = labelOf(step);
    if (text !== null) ticks.push({ at: step / steps, text });
  }
  return ticks;
}
