import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { useEvery } from '../../parts/every.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { usePagePart } from '../../parts/page-part.ts';
import { refusalSaid, whySaid } from '../../parts/reasons.ts';
import { sayDone } from '../../parts/toast.tsx';
import { whenOf } from '../../parts/when.ts';
import { may } from '../../session.ts';
import { statementWords } from '../../words/statements.ts';
import { ClockHistory } from './clock-history.tsx';
import { AcceptDialog, BlockDialog, KeyDialog, MoveDialog, RenameDialog } from './dialogs.tsx';
import { Facts } from './facts.tsx';
import { DeviceHours } from './hours.tsx';
import { Inbox } from './inbox.tsx';
import { LogTail } from './log-tail.tsx';
import { PeopleDataOf } from './people-data.tsx';
import { Timeline } from './timeline.tsx';
import { Trace } from './trace.tsx';
import { say } from './words.ts';

const refreshMs = 2000;

/** One device: its state and since when, where its records are, its log. */
export function DevicePage({ id }: { id: string }) {
  const { loaded, reload } = useLoaded('/devices/{id}/page', { id });
  useEvery(refreshMs, reload);
  const { data, problem } = loaded.value;
  usePagePart(data?.name || id);
  if (!data && problem?.status === 404)
    return (
      <>
        <p class="sentence">{say.value.unknown}</p>
        <p class="mono">{id}</p>
      </>
    );
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  return (
    <>
      <p class="sentence">{sentence(data)}</p>
      <ProblemNotice problem={problem} again={reload} />
      <p>
        <a href={`/devices/${encodeURIComponent(id)}/statement`}>{statementWords.value.link}</a>
      </p>
      {may('admin') && <Actions device={data} changed={reload} />}
      <PeopleDataOf device={data} changed={reload} />
      <Facts device={data} />
      <div class="device-history">
        <DeviceHours id={id} />
        <ClockHistory id={id} />
      </div>
      <div class="cols">
        <Timeline device={data} />
        <Inbox inbox={data.inbox} />
      </div>
      <Trace id={id} stamp={`${data.last_seen_at} ${data.waiting} ${data.today}`} />
      <LogTail id={id} />
    </>
  );
}

function sentence(device: DevicePageReport): string {
  const { device_id, name: called, state, since, belongs_to, refusals } = device;
  const said = say.value;
  const name = called || device_id;
  const [refusal] = refusals;
  if (state === 'blocked') return said.isBlocked(name);
  if (state === 'held_back') return said.isHeldBack(name);
  if (state === 'never') return said.isNever(name);
  if (state === 'elsewhere') return said.isElsewhere(name, belongs_to ?? '');
  if (state === 'refused' && refusal)
    return said.isRefused(name, refusal.count, refusalSaid(refusal.code, refusal.detail, refusal.message));
  if (state === 'online') return since === null ? said.isOnline(name) : said.isOnlineSince(name, whenOf(since));
  return since === null ? said.isSilent(name) : said.isSilentSince(name, whenOf(since), whySaid(device));
}

type What = 'rename' | 'block' | 'key' | 'accept' | 'move';

function Actions({ device, changed }: { device: DevicePageReport; changed: () => void }) {
  const said = say.value;
  const opened = useSignal<What | null>(null);
  const { refused, run } = useDoing();
  const close = useCallback(() => {
    opened.value = null;
  }, [opened]);
  const done = useCallback(
    (sentence: string, undo: (() => Promise<boolean>) | null = null) => {
      sayDone(sentence, undo);
      opened.value = null;
      changed();
    },
    [opened, changed],
  );
  const blocked = device.state === 'blocked';
  const boxes = useLoaded('/box-names').loaded.value.data?.rows ?? [];
  const ends = { device: device.device_id, close, done };
  const backTo = (before: { readonly name: string } | { readonly blocked: boolean }) => (sentence: string) =>
    done(sentence, () =>
      run(async () => {
        await put('/devices/{id}', { id: device.device_id, ...before });
        changed();
      }),
    );
  const open = (what: What) => () => {
    opened.value = what;
  };
  return (
    <>
      <p class="bar">
        <button type="button" class="act" onClick={open('rename')}>
          {said.rename}
        </button>
        <button type="button" class="act" onClick={open('key')}>
          {said.setKey}
        </button>
        {device.key.startsWith('device key') && (
          <button type="button" class="act" onClick={open('accept')}>
            {said.accept}
          </button>
        )}
        {boxes.length > 0 && (
          <button type="button" class="act" onClick={open('move')}>
            {said.move}
          </button>
        )}
        <button type="button" class={blocked ? 'act' : 'act danger'} onClick={open('block')}>
          {blocked ? said.unblock : said.block}
        </button>
      </p>
      <ProblemNotice problem={refused.value} />
      {opened.value === 'rename' && <RenameDialog name={device.name} {...ends} done={backTo({ name: device.name })} />}
      {opened.value === 'key' && <KeyDialog {...ends} />}
      {opened.value === 'move' && <MoveDialog belongsTo={device.belongs_to} boxes={boxes} {...ends} />}
      {opened.value === 'accept' && <AcceptDialog {...ends} />}
      {opened.value === 'block' && <BlockDialog blocked={blocked} {...ends} done={backTo({ blocked })} />}
    </>
  );
}
