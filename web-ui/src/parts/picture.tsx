import './picture.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { pictureWords } from './picture-words.ts';
import type { ScaleMark, Tick } from './plot.ts';
import { Table } from './table.tsx';

export interface Series {
  readonly title: string;
  /** Text of a step, in the table and read aloud; empty for none. */
  readonly text: (step: number) => string;
}

/**
 * A picture that can also be read: what it shows as a sentence, its values one by one with the
 * arrow keys, and all of them as a table.
 */
export function Picture({
  title,
  sentence,
  steps,
  timeOf,
  series,
  ticks,
  inTable = () => true,
  legend,
  children,
}: {
  readonly title: string;
  readonly sentence: string;
  readonly steps: number;
  /** When a step is, in words. */
  readonly timeOf: (step: number) => string;
  readonly series: readonly Series[];
  readonly ticks: readonly Tick[];
  /** Which steps the table shows: those where something is. */
  readonly inTable?: (step: number) => boolean;
  readonly legend?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const said = pictureWords.value;
  const id = useId();
  const cursor = useSignal<number | null>(null);
  const isOpen = useSignal(false);
  const step = cursor.value === null ? null : Math.min(cursor.value, steps - 1);
  const valuesAt = (at: number) =>
    series
      .map(one => ({ title: one.title, text: one.text(at) }))
      .filter(({ text }) => text !== '')
      .map(one => `${one.title}: ${one.text}`)
      .join(said.joint) || said.none;

  const onKeyDown = (event: KeyboardEvent) => {
    const from = step ?? (event.key === 'ArrowLeft' ? steps : -1);
    const moved = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: steps - 1 }[event.key];
    if (event.key === 'Escape') cursor.value = null;
    if (moved === undefined) return;
    event.preventDefault();
    cursor.value = Math.max(0, Math.min(steps - 1, moved));
  };
  const onPointerMove = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    cursor.value = Math.max(0, Math.min(steps - 1, Math.floor(((event.clientX - left) / width) * steps)));
  };

  return (
    <figure class="picture" aria-labelledby={`${id}-title`}>
      <figcaption>
        <b id={`${id}-title`}>{title}</b> <span class="quiet">{sentence}</span>
      </figcaption>
      <div
        class="plots"
        role="slider"
        tabIndex={0}
        aria-label={`${title}. ${said.hint}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, steps - 1)}
        aria-valuenow={step ?? 0}
        aria-valuetext={step === null ? sentence : timeOf(step)}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => {
          cursor.value = null;
        }}
        onBlur={() => {
          cursor.value = null;
        }}
      >
        {children}
        {step !== null && (
          <i class="cursor" style={{ left: `${(step / steps) * 100}%`, width: `${100 / steps}%` }} aria-hidden="true" />
        )}
      </div>
      <div class="axis" aria-hidden="true">
        {ticks.map(({ at, text }) => (
          <span key={at} style={{ left: `${at * 100}%` }}>
            {text}
          </span>
        ))}
      </div>
      <div class="below">
        <output aria-live="polite">{step === null ? '' : `${timeOf(step)} ${valuesAt(step)}`}</output>
        {step === null && legend}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? said.hideTable : said.asTable}
        </button>
      </div>
      {isOpen.value && (
        <Table
          caption={title}
          narrow
          rows={Array.from({ length: steps }, (_, at) => at).filter(inTable)}
          rowKey={at => at}
          columns={[
            { key: 'time', title: said.time, cell: at => <span class="mono">{timeOf(at)}</span> },
            ...series.map((one, index) => ({
              key: String(index),
              title: one.title,
              number: true,
              cell: (at: number) => one.text(at),
            })),
          ]}
        />
      )}
    </figure>
  );
}

/** One drawing of a picture; several of them stand below each other over the same time. */
export function Plot({
  height,
  name,
  marks = [],
  children,
}: {
  readonly height: number;
  /** The quantity, with its unit. */
  readonly name?: string;
  /** Values of its scale, each with a line across. */
  readonly marks?: readonly ScaleMark[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="plot" style={{ height: `${height}px` }} aria-hidden="true">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" focusable="false" aria-hidden="true">
        {marks.map(({ at }) => (
          <path key={at} class="grid" d={`M0 ${at * 100}H1000`} />
        ))}
        {children}
      </svg>
      {name !== undefined && <span class="name">{name}</span>}
      <span class="scale">
        {marks.map(({ at, text }) => (
          <span key={at} style={{ top: `${at * 100}%` }}>
            {text}
          </span>
        ))}
      </span>
    </div>
  );
}

/**
 * A stretch of time in which something was away, across all plots: hatched, so that it differs from
 * a colour by its form.
 */
export const Band = ({ kind, from, to }: { kind: 'cut' | 'off'; from: number; to: number }) => (
  <i
    class={`band ${kind}`}
    style={{ left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` }}
    aria-hidden="true"
  />
);
