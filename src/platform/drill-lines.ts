import type { DrillOutcome } from './drill.ts';
import { drillWords } from './drill-words.ts';

interface FoundAtCut {
  readonly cut: number;
  readonly seen: number;
  readonly found: number;
  readonly missing: number;
  readonly first_missing: number | null;
}

/** A result as the admin API has it. */
interface CardResult {
  readonly outcome: DrillOutcome;
  readonly why: string;
  readonly device: {
    readonly device: string;
    readonly name: string;
    readonly serial: string;
    readonly bytes: number | null;
  };
  readonly cuts: readonly FoundAtCut[];
  readonly speed: {
    readonly sync_p50_ms: number;
    readonly sync_p99_ms: number;
    readonly syncs_per_second: number;
    readonly megabytes_per_second: number;
  } | null;
  readonly allows: {
    readonly records_alone: number;
    readonly records_together: number;
    readonly terminals: number;
    readonly years: number;
    readonly bytes_per_day: number;
    readonly is_measured: boolean;
  } | null;
}

/** How the caller writes numbers. */
interface Format {
  number(value: number): string;
  bytes(value: number): string;
}

type Language = keyof typeof drillWords;

/** The result in sentences: for the terminal, the page and the paper. */
interface DrillLines {
  readonly verdict: string;
  /** The card, with its serial number. */
  readonly device: string;
  readonly cuts: readonly string[];
  /** Measured figures, and their consequences. */
  readonly figures: readonly string[];
  /** Remedy; null if there is nothing to do. */
  readonly todo: string | null;
}

const yearsMax = 100;

export function drillLines(language: Language, result: CardResult, { number, bytes }: Format): DrillLines {
  const words = drillWords[language];
  const { device, outcome, why, cuts, speed, allows } = result;
  const name = device.name || device.device;
  const size = device.bytes === null ? '' : bytes(device.bytes);
  const megabytes = allows ? number(Math.max(1, Math.round(allows.bytes_per_day / 1e6))) : '';
  return {
    verdict: outcome === 'broken' ? words.outcomes.broken(why) : words.outcomes[outcome],
    device: name === '' ? words.unknownCard : words.device(name, device.serial, size),
    cuts: cuts.map(found => cutLine(language, found, number)),
    figures: [
      ...(speed
        ? [
            words.speed(
              number(speed.sync_p50_ms),
              number(speed.sync_p99_ms),
              number(Math.round(speed.syncs_per_second)),
              number(speed.megabytes_per_second),
            ),
          ]
        : []),
      ...(allows
        ? [
            words.records(number(allows.records_alone), number(allows.records_together)),
            words.terminals(number(allows.terminals)),
            allows.years >= yearsMax ? words.manyYears(megabytes) : words.years(number(allows.years), megabytes),
            ...(allows.is_measured ? [] : [words.assumed]),
          ]
        : []),
    ],
    todo: outcome === 'failed' || outcome === 'broken' ? words.buy : null,
  };
}

/** Findings after one cut. */
export function cutLine(
  language: Language,
  { cut, seen, found, missing, first_missing }: FoundAtCut,
  number: Format['number'],
): string {
  const words = drillWords[language];
  if (missing === 0) return words.cutHeld(cut, number(seen));
  if (found === 0) return words.forgot(cut, number(seen));
  return words.cutLost(cut, number(seen), number(missing), number(first_missing ?? 0));
}
