import { said } from './words.ts';

export interface Change {
  readonly days: number;
  readonly people: number;
  readonly since: string;
  readonly cut: boolean;
}

/** Shown before a plan that changes days gone by is saved; saving once more saves it. */
export const PastNotice = ({ change }: { change: Change | null }) =>
  change && (
    <p class="notice" role="status">
      {said.value.changesPast(change.days, change.people, change.since, change.cut)}
    </p>
  );
