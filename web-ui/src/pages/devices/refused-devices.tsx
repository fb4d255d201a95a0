import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RefusedDevice } from '../../../../src/admin/ui/refused-devices.ts';
import { isBeforeLogin } from '../../../../src/platform/refusals.ts';
import { useLoaded } from '../../loaded.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { ago, count, moment } from '../../parts/numbers.ts';
import { refusalSaid } from '../../parts/reasons.ts';
import { useSteadyOrder } from '../../parts/steady.ts';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import {
  AcceptDialog,
  AdmitNewDialog,
  AdoptDialog,
  BlockDialog,
  KeyDialog,
  LetInDialog,
  ListBoxDialog,
} from './dialogs.tsx';
import { say } from './words.ts';

/** `about`: only those of this client. */
export const useRefusedDevices = (about: string) => useLoaded('/refused-devices', { about });

const keyOf = (row: RefusedDevice): string => `${row.client_id} ${row.code}`;
const always = (): boolean => true;

/**
 * `turn` distinguishes one opening from the next: a dialog that was closed is never shown again.
 */
type Opened = {
  readonly opening: number;
  readonly what: 'adopt' | 'let_in' | 'key' | 'accept' | 'unblock' | 'list_box' | 'admit';
  readonly row: RefusedDevice;
};

/** The devices that are refused, why in words, and a button for what helps. */
export function RefusedDevices({
  from,
  about,
  changed,
}: {
  from: ReturnType<typeof useRefusedDevices>;
  /** The client of whom alone it is shown; empty: all. */
  about: string;
  changed: () => void;
}) {
  const said = say.value;
  const opened = useSignal<Opened | null>(null);
  const opening = useRef(0);
  const { data, problem } = from.loaded.value;
  const close = () => {
    opened.value = null;
  };
  const done = (sentence: string) => {
    sayDone(sentence);
    close();
    changed();
  };
  const rows = useSteadyOrder(data?.rows ?? [], keyOf, always);
  return (
    <>
      <ProblemNotice problem={problem} again={from.reload} />
      {about !== '' && data && rows.length === 0 && (
        <p class="notice">
          {said.notRefused(about)} <a href="/devices">{said.allRefused}</a>
        </p>
      )}
      {rows.length > 0 && (
        <section aria-labelledby="refused-devices">
          <h2 id="refused-devices">{said.refusedDevices}</h2>
          <p class="quiet">{said.refusedDevicesLead}</p>
          {about !== '' && (
            <p class="notice">
              {said.onlyRefused(about)} <a href="/devices">{said.allRefused}</a>
            </p>
          )}
          <ul class="refused-devices">
            {rows.map(row => (
              <RefusedRow
                key={keyOf(row)}
                row={row}
                open={what => {
                  opening.current++;
                  opened.value = { what, row, opening: opening.current };
                }}
              />
            ))}
          </ul>
          {data?.more && <p class="quiet">{said.moreRefused}</p>}
        </section>
      )}
      {opened.value && <Remedy key={opened.value.opening} opened={opened.value} close={close} done={done} />}
    </>
  );
}

function RefusedRow({ row, open }: { row: RefusedDevice; open: (what: Opened['what']) => void }) {
  const said = say.value;
  const mayHelp = may(row.remedy === 'admit_new' ? 'staff' : 'admin') && row.remedy !== 'none';
  return (
    <li>
      <b class="mono">{isBeforeLogin(row.code) ? row.address : row.client_id || row.address}</b>{' '}
      <time class="quiet" dateTime={new Date(row.at).toISOString()} title={moment(row.at)}>
        {said.refusedTimes(count(row.count), ago(row.at, now.value), isBeforeLogin(row.code) ? '' : row.address)}
      </time>
      <p>{refusalSaid(row.code, row.detail, row.message)}</p>
      {mayHelp && (
        <p class="bar">
          {row.remedy === 'add_product' && <Button say={said.addProduct} go={() => open('adopt')} />}
          {row.remedy === 'admit_new' && may('admin') && row.device_id !== null && (
            <Button say={said.letInAndApprove} go={() => open('let_in')} />
          )}
          {row.remedy === 'admit_new' && <Button say={said.admitNew} go={() => open('admit')} />}
          {row.remedy === 'accept_product_key' && <Button say={said.accept} go={() => open('accept')} />}
          {(row.remedy === 'set_key' || row.remedy === 'accept_product_key') && (
            <Button say={said.setKey} go={() => open('key')} />
          )}
          {row.remedy === 'list_box' && <Button say={said.listBox} go={() => open('list_box')} />}
          {row.remedy === 'unblock' && <Button say={said.unblock} go={() => open('unblock')} />}
        </p>
      )}
    </li>
  );
}

const Button = ({ say: text, go }: { say: string; go: () => void }) => (
  <button type="button" class="act" onClick={go}>
    {text}
  </button>
);

function Remedy({ opened, close, done }: { opened: Opened; close: () => void; done: (said: string) => void }) {
  const { what, row } = opened;
  const ends = { close, done };
  if (what === 'adopt') return <AdoptDialog product={row.product_id ?? ''} device={row.device_id} {...ends} />;
  if (what === 'let_in') return <LetInDialog device={row.device_id ?? ''} {...ends} />;
  if (what === 'admit') return <AdmitNewDialog product={row.product_id ?? ''} {...ends} />;
  const device = row.device_id ?? '';
  if (what === 'key') return <KeyDialog device={device} {...ends} />;
  if (what === 'list_box') return <ListBoxDialog box={device} {...ends} />;
  if (what === 'accept') return <AcceptDialog device={device} {...ends} />;
  return <BlockDialog device={device} blocked={true} {...ends} />;
}
