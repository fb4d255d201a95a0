import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { Field } from '../../parts/field.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { may } from '../../session.ts';
import { commissionWords } from './words.ts';

/** How the box itself joined its network, and a button to start again. */
export function BoxNetwork() {
  const { loaded, reload } = useLoaded('/setup');
  const asking = useSignal(false);
  const done = useSignal(false);
  const said = commissionWords.value;
  useEffect(() => {
    const timer = setInterval(reload, 3000);
    return () => clearInterval(timer);
  }, [reload]);
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { last } = data;
  return (
    <>
      <p>
        <b>{said.modes[data.mode]}</b> <span class="quiet">{whySaid(data)}</span>
      </p>
      <dl class="facts">
        {data.name !== null && (
          <>
            <dt>{said.bleName}</dt>
            <dd class="mono">{data.name}</dd>
          </>
        )}
        {data.since !== null && (
          <>
            <dt>{said.since}</dt>
            <dd>{moment(data.since)}</dd>
          </>
        )}
        {data.hotspot !== null && (
          <>
            <dt>{said.hotspotAt}</dt>
            <dd class="mono">{`http://${data.hotspot}`}</dd>
          </>
        )}
        <dt>{said.bluetoothNote}</dt>
        <dd>{data.bluetooth === null ? said.bluetoothOn : whySaid({ why: data.bluetooth, ...data.bluetooth_said })}</dd>
        <dt>{said.lastTry}</dt>
        <dd>{last ? `${moment(last.at)} ${last.ssid}: ${whySaid({ ...last, why: last.message })}` : said.noTry}</dd>
      </dl>
      {done.value && (
        <p role="status" class="notice ok">
          {said.resetDone}
        </p>
      )}
      {may('admin') && data.mode !== 'off' && data.mode !== 'stopped' && (
        <p>
          <button
            type="button"
            class="act danger"
            onClick={() => {
              asking.value = true;
            }}
          >
            {said.reset}
          </button>
        </p>
      )}
      {asking.value && (
        <ResetNetwork
          close={() => {
            asking.value = false;
          }}
          done={() => {
            asking.value = false;
            done.value = true;
            reload();
          }}
        />
      )}
    </>
  );
}

function ResetNetwork({ close, done }: { close: () => void; done: () => void }) {
  const typed = useSignal('');
  const { busy, refused, run } = useDoing(({ message }) => message);
  const said = commissionWords.value;
  const go = () =>
    run(async () => {
      await post('/setup/reset-network');
      done();
    });
  return (
    <Dialog title={said.resetTitle} close={close}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (typed.peek().trim() === said.resetWord) void go();
        }}
      >
        <p>{said.resetText}</p>
        <Field
          label={said.resetType(said.resetWord)}
          value={typed}
          autocomplete="off"
          onInput={event => {
            typed.value = event.currentTarget.value;
          }}
        />
        <p class="bad" role="alert">
          {refused}
        </p>
        <DialogButtons
          go={said.reset}
          busy={busy.value || typed.value.trim() !== said.resetWord}
          danger
          close={close}
        />
      </form>
    </Dialog>
  );
}
