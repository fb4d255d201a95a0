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

/** The same in steps: a value holds from the beginning of its step to the end. */
export function stepsPath(values: Values, most: number, steps = values.length): string {
  let path = '';
  let isDown = false;
  for (const [step, value] of values.entries()) {
    if (value !== null)
      path += `${isDown ? '' : `M${xOf(step, steps)} ${yOf(value, most)}`}V${yOf(value, most)}H${xOf(step + 1, steps)}`;
    isDown = value !== null;
  }
  return path;
}

/** Area under steps from the first value on, filled. */
export function stepsAreaPath(values: Values, most: number, steps = values.length): string {
  const end = values.indexOf(null);
  const known = end < 0 ? values : values.slice(0, end);
  if (known.length === 0) return '';
  return `${stepsPath(known, most, steps)}V${plotHeight}H0Z`;
}

/** Area under that line, filled. */
export function areaPath(values: Values, most: number, steps = values.length): string {
  let path = '';
  for (const [first, end] of runsOf(values, value => value !== null)) {
    const xs = Array.from({ length: end - first }, (_, index) => xOf(first + index + 0.5, steps));
    const line = xs.map((x, index) => `L${round(x)} ${yOf(values[first + index]!, most)}`).join('');
    path += `M${round(xs[0]!)} ${plotHeight}${line}L${round(xs.at(-1)!)} ${plotHeight}Z`;
  }
  return path;
}

/**
 * A box from the lower to the upper bound of each step; where there is no upper one, a mark at the
 * lower. Both lie between -reach and reach.
 */
export function rangesPath(lower: Values, upper: Values, reach: number): string {
  let path = '';
  const steps = lower.length;
  const place = (value: number) => round(plotHeight / 2 - (value / reach) * (plotHeight / 2));
  for (const [step, low] of lower.entries()) {
    if (low === null) continue;
    const from = place(low);
    const to = Math.min(from - 3, place(upper[step] ?? low));
    path += `M${xOf(step, steps)} ${from}V${to}H${xOf(step + 1, steps)}V${from}Z`;
  }
  return path;
}

/** From the first step for which `is` holds to the first after it for which it does not. */
export function runsOf(values: Values, is: (value: number | null) => boolean): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [step, value] of values.entries()) {
    if (!is(value)) continue;
    const last = found.at(-1);
    if (last?.[1] === step) last[1] = step + 1;
    else found.push([step, step + 1]);
  }
  return found;
}

/** Where the largest value is, and the first such step; null: there is no value. */
export function peakOf(values: Values): { readonly step: number; readonly value: number } | null {
  let peak: { step: number; value: number } | null = null;
  for (const [step, value] of values.entries())
    if (value !== null && (peak === null || value > peak.value)) peak = { step, value };
  return peak;
}

/** A round number that is at least `value`: the top of a scale. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(times => times * power).find(top => top >= value)!;
}

/** A value of a scale, with its place from the top of the plot in parts of the height, 0 to 1. */
export interface ScaleMark {
  readonly at: number;
  readonly text: string;
}

/** Ends of a scale, and its middle where that is a whole number. `isLow`: there is no room for it. */
export const marksOf = (top: number, textOf: (value: number) => string, isLow = false): readonly ScaleMark[] =>
  [top, top / 2, 0]
    .filter((value, place) => place !== 1 || (!isLow && Number.isInteger(value)))
    .map(value => ({ at: yOf(value, top) / plotHeight, text: textOf(value) }));

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
