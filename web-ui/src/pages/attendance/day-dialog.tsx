import { query } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { words } from '../../words/index.ts';
import { correctionWords } from './correction-words.ts';
import { dayName } from './dates.ts';
import { dayWords } from './day-words.ts';
import { DayBody } from './person-day.tsx';

/** A person's day over the list that it was opened from; closes after a correction. */
export function DayDialog({
  person: { ext_id: extId, name },
  day,
  close,
  changed,
  leave,
}: {
  person: { readonly ext_id: string; readonly name: string };
  day: string;
  close: () => void;
  changed: () => void;
  /** Grants a leave in place of a correction; absent: not offered here. */
  leave?: (() => void) | undefined;
}) {
  const text = correctionWords.value;
  return (
    <Dialog title={text.dayOf(name, dayName(day))} close={close}>
      <DayBody
        extId={extId}
        day={day}
        changed={() => {
          close();
          changed();
        }}
      />
      <p class="bar">
        <a class="act" href={`/attendance/person/${encodeURIComponent(extId)}${query({ day })}`}>
          {text.openDay(day)}
        </a>
        {leave && (
          <button type="button" class="act" onClick={leave}>
            {dayWords.value.leaveOf(name)}
          </button>
        )}
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}
