import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { pagePaths } from '../../../../src/platform/page-paths.ts';
import { get, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { AskButton, AskDialog } from '../../parts/ask-dialog.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { day, moment } from '../../parts/numbers.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { accessWords } from './access-words.ts';
import './access-codes.css';

type Made = AnswerOf<'post', '/access-codes'>;

/** People of one sheet; the box makes no more at once. */
export const codesMax = 500;

/** Asks whether to make codes for these people, and shows the sheet of them. */
export function AccessCodes({
  title,
  ids,
  close,
}: {
  title: string;
  ids: () => Promise<readonly string[]>;
  close: () => void;
}) {
  const made = useSignal<Made | null>(null);
  const text = accessWords.value;
  if (made.value) return <Sheet made={made.value} close={close} />;
  return (
    <AskDialog
      title={title}
      go={text.makeGo}
      run={async () => {
        made.value = await post('/access-codes', { ext_ids: [...(await ids())] });
      }}
      close={close}
    >
      <p>{text.hint}</p>
      <p>{text.makeLead}</p>
    </AskDialog>
  );
}

function Sheet({ made, close }: { made: Made; close: () => void }) {
  const text = accessWords.value;
  const address = `${location.origin}${pagePaths.me}`;
  return (
    <section class="access-codes" ref={place => place?.scrollIntoView()}>
      <h2 class="no-print">{text.sheet}</h2>
      <p class="no-print">{text.sheetLead(day(made.ends_at))}</p>
      <p class="bar no-print">
        <button type="button" class="act" onClick={() => print()}>
          {text.print}
        </button>
        <button type="button" class="act go" onClick={close}>
          {text.close}
        </button>
      </p>
      <ul>
        {made.codes.map(({ ext_id: id, name, employee_num: number, department, code }) => (
          <li key={id}>
            <QrCode text={`${address}#${code}`} label={text.codeOf(name)} size={132} />
            <div>
              <b>{name}</b>
              <span class="quiet">{[number, department].filter(Boolean).join(' · ')}</span>
              <span class="mono code">{code}</span>
              <span>{address}</span>
              <small>
                {text.how} {text.until(day(made.ends_at))}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Ids of all that a list finds, without those that were taken off. */
export async function idsOfAll(
  found: {
    readonly department?: string | undefined;
    readonly search?: string | undefined;
    readonly employed: 'now' | 'no more';
  },
  except: ReadonlySet<string>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await get('/people', { ...found, limit: codesMax, cursor: cursor ?? undefined });
    ids.push(...page.rows.map(({ ext_id: id }) => id).filter(id => id !== '' && !except.has(id)));
    ({ cursor } = page);
  } while (cursor !== null);
  return ids;
}

/**
 * How a person gets to the own page, and whether the month was confirmed there: a new code, and the
 * end of all that was handed out.
 */
export function OwnAccess({ extId, name, month }: { extId: string; name: string; month: string }) {
  const { loaded, reload } = useLoaded('/people/{ext_id}/access', { ext_id: extId });
  const asking = useSignal(false);
  const { confirmed } =
    useLoaded('/people/{ext_id}/confirmations/{month}', { ext_id: extId, month }).loaded.value.data ?? {};
  const { data, problem } = loaded.value;
  const text = accessWords.value;
  const close = () => {
    asking.value = false;
    reload();
  };
  return (
    <section class="no-print" aria-labelledby="own-access">
      <h2 id="own-access">{text.title}</h2>
      <ProblemNotice problem={problem} again={reload} />
      {!data && !problem && <Loading rows={1} />}
      {data && <p>{stateOf(data)}</p>}
      {confirmed && (
        <p class={confirmed.is_current ? 'ok' : 'warn'}>
          {(confirmed.is_current ? text.confirmed : text.changed)(month, day(confirmed.at))}
        </p>
      )}
      <p class="bar">
        <button type="button" class="act" onClick={() => (asking.value = true)}>
          {text.make}
        </button>
        {data && (data.sessions > 0 || data.code_ends_at !== null) && (
          <AskButton
            label={text.end}
            title={text.endTitle(name)}
            go={text.endGo}
            danger
            run={() => post('/people/{ext_id}/access/revoke', { ext_id: extId })}
            done={() => {
              sayDone(text.ended);
              reload();
            }}
          >
            <p>{text.endLead}</p>
          </AskButton>
        )}
      </p>
      {asking.value && <AccessCodes title={text.makeTitle(name)} ids={async () => [extId]} close={close} />}
    </section>
  );
}

function stateOf({ code_ends_at: ends, sessions, seen_at: seen }: AnswerOf<'get', '/people/{ext_id}/access'>): string {
  const text = accessWords.value;
  const said = [
    ...(sessions > 0 && seen !== null ? [text.open(sessions, moment(seen).slice(0, 16))] : []),
    ...(ends !== null ? [text.waits(day(ends))] : []),
  ];
  return said.length > 0 ? said.join(' · ') : text.never;
}
