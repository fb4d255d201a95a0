import { query } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { words } from '../../words/index.ts';
import { correctionWords } from './correction-words.ts';
import { dayName } from './dates.ts';
import { DayBody } from './person-day.tsx';

/** A person's day over the list that it was opened from; closes after a correction. */
export function DayDialog({
  person: { ext_id: extId, name },
  day,
  close,
  changed,
}: {
  person: { readonly ext_id: string; readonly name: string };
  day: string;
  close: () => void;
  changed: () => void;
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
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}
