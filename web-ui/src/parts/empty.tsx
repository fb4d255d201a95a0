import type { ComponentChildren } from 'preact';
import './empty.css';

/**
 * Drawings in the manner of the icons, 120 by 72: `line` is what is there, `missing` what is not yet,
 * `accent` what it is about.
 */
const drawings = {
  people: {
    line: 'M8 64H112M38 30a8 8 0 1 1-16 0a8 8 0 1 1 16 0M14 64c0-11 6-18 16-18 3 0 6 1 8 2M98 30a8 8 0 1 1-16 0a8 8 0 1 1 16 0M106 64c0-11-6-18-16-18-3 0-6 1-8 2',
    missing: 'M70 22a10 10 0 1 1-20 0a10 10 0 1 1 20 0M42 64c0-15 7-24 18-24s18 9 18 24',
    accent: 'M60 47v10M55 52h10',
  },
  devices: {
    line: 'M28 8h20a4 4 0 0 1 4 4v44a4 4 0 0 1-4 4H28a4 4 0 0 1-4-4V12a4 4 0 0 1 4-4zM33 52h10M78 26h24a4 4 0 0 1 4 4v22a4 4 0 0 1-4 4H78a4 4 0 0 1-4-4V30a4 4 0 0 1 4-4zM83 41l5 5 9-10',
    missing: 'M52 41H74',
    accent: 'M44 24a6 6 0 1 1-12 0a6 6 0 1 1 12 0M29 42c0-5 4-8 9-8s9 3 9 8',
  },
  schedules: {
    line: 'M10 8V64H112M22 14h26a4.5 4.5 0 0 1 0 9H22a4.5 4.5 0 0 1 0-9z',
    missing: 'M34 8V64M58 8V64M82 8V64M74 48h26a4.5 4.5 0 0 1 0 9H74a4.5 4.5 0 0 1 0-9z',
    accent: 'M46 31h30a4.5 4.5 0 0 1 0 9H46a4.5 4.5 0 0 1 0-9z',
  },
  day: {
    line: 'M84 36a24 24 0 1 1-48 0a24 24 0 1 1 48 0M60 12v5M60 55v5M36 36h5M79 36h5',
    missing: 'M6 36H30M90 36h24',
    accent: 'M60 24v12l8 6',
  },
  alerts: {
    line: 'M42 52c5-5 7-11 7-21a11 11 0 0 1 22 0c0 10 2 16 7 21zM60 20v-6',
    missing: 'M34 24c-4 7-4 15 0 22M86 24c4 7 4 15 0 22M25 18c-7 11-7 23 0 34M95 18c7 11 7 23 0 34',
    accent: 'M54 58a6 6 0 0 0 12 0',
  },
} as const;

/** In place of a list that has nothing yet: what belongs here, in a sentence, and what begins it. */
export function Empty({
  name,
  children,
  action,
}: {
  name: keyof typeof drawings;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  const { line, missing, accent } = drawings[name];
  return (
    <div class="empty">
      <svg viewBox="0 0 120 72" width="120" height="72" aria-hidden="true" focusable="false">
        <path d={line} />
        <path class="missing" d={missing} />
        <path class="accent" d={accent} />
      </svg>
      <p>{children}</p>
      {action}
    </div>
  );
}
