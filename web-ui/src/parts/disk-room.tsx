import { useSignal } from '@preact/signals';
import type { DiskStep } from '../../../src/admin/disk.ts';
import { post } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { may } from '../session.ts';
import { AskDialog } from './ask-dialog.tsx';
import { words } from './disk-room-words.ts';
import { ProblemNotice } from './notices.tsx';
import { bytes, count } from './numbers.ts';
import { sayDone } from './toast.tsx';

/**
 * How full the disk is, what would be deleted first, and for an admin what can be removed now, with
 * the space that each frees.
 */
export function DiskRoom() {
  const { loaded, reload } = useLoaded('/disk');
  const asked = useSignal<DiskStep | null>(null);
  const { data, problem } = loaded.value;
  const said = words.value;
  if (!data) return <ProblemNotice problem={problem} again={reload} />;
  const rate =
    data.bytes_per_day === null
      ? said.rate.unknown
      : data.bytes_per_day > 0
        ? said.perDay(bytes(data.bytes_per_day))
        : said.rate.still;
  return (
    <section aria-labelledby="disk-room">
      <h2 id="disk-room">{said.title}</h2>
      <p>
        {said.room(bytes(data.room_bytes), bytes(data.size_bytes))} {rate}
      </p>
      <p>{said.first}</p>
      <ol>
        {data.goes_first.map(what => (
          <li key={what}>{said.goes[what]}</li>
        ))}
      </ol>
      <p class="quiet">{said.never}</p>
      <h3>{said.make}</h3>
      {data.steps.length === 0 && <p class="quiet">{said.nothing}</p>}
      <ul class="plain">
        {data.steps.map(step => (
          <li key={`${step.what} ${step.days}`}>
            {nameOf(step)} <span class="quiet">{sizeOf(step)}</span>{' '}
            {may('admin') && (
              <button
                type="button"
                class="act"
                aria-label={`${said.go}: ${nameOf(step)}`}
                onClick={() => {
                  asked.value = step;
                }}
              >
                {said.go}
              </button>
            )}
          </li>
        ))}
      </ul>
      {!may('admin') && data.steps.length > 0 && <p class="quiet">{said.needsAdmin}</p>}
      {asked.value && (
        <Free
          step={asked.value}
          close={() => {
            asked.value = null;
          }}
          done={freed => {
            asked.value = null;
            sayDone(said.done(bytes(freed)));
            reload();
          }}
        />
      )}
    </section>
  );
}

function Free({ step, close, done }: { step: DiskStep; close: () => void; done: (freed: number) => void }) {
  const free = async () => {
    const { what, days } = step;
    done((await post('/disk/free', { what, days })).freed_bytes);
  };
  return (
    <AskDialog title={nameOf(step)} go={words.value.go} danger run={free} close={close}>
      <p>
        {sizeOf(step)} {words.value.sure}
      </p>
    </AskDialog>
  );
}

const nameOf = ({ what, days }: DiskStep): string => words.value.steps[what](count(days ?? 0));
const sizeOf = (step: DiskStep): string => `${step.at_least ? `${words.value.atLeast} ` : ''}${bytes(step.bytes)}.`;
