import { useSignal } from '@preact/signals';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { hourMinute } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { may } from '../../session.ts';
import { type ListedDevice, list, setUpOf, startOver, takeOff, titleOf } from './list.ts';
import { commissionWords } from './words.ts';

/** The devices of this visit, and how far each has come. */
export function DeviceList() {
  const said = commissionWords.value;
  const asking = useSignal(false);
  const { devices } = list.value;
  if (devices.length === 0) return null;
  return (
    <section aria-labelledby="list">
      <h2 id="list">{said.listCaption}</h2>
      <Table
        caption={said.listCaption}
        rows={devices}
        rowKey={row => row.target}
        columns={[
          { key: 'device', title: said.device, cell: row => <span class="mono device-id">{titleOf(row)}</span> },
          { key: 'verified', title: said.verified, cell: row => <Verified device={row} /> },
          { key: 'wifi', title: said.wifi, cell: row => <WifiState device={row} /> },
          { key: 'punch', title: said.punch, cell: row => <FirstPunch device={row} /> },
          ...(may('admin')
            ? [
                {
                  key: 'act',
                  title: '',
                  cell: (row: ListedDevice) => (
                    <span class="row-acts">
                      <a class="act" href={setUpOf(row.target)} aria-label={said.setUpOf(titleOf(row))}>
                        {said.open}
                      </a>
                      <button
                        type="button"
                        class="act"
                        aria-label={`${said.takeOff}: ${titleOf(row)}`}
                        onClick={() => takeOff(row.target)}
                      >
                        {said.takeOff}
                      </button>
                    </span>
                  ),
                },
              ]
            : []),
        ]}
      />
      <p class="quiet">{said.kept}</p>
      <p>
        <button
          type="button"
          class="act"
          onClick={() => {
            asking.value = true;
          }}
        >
          {said.startOver}
        </button>
      </p>
      {asking.value && (
        <Dialog
          title={said.startOverTitle}
          close={() => {
            asking.value = false;
          }}
        >
          <form
            onSubmit={event => {
              event.preventDefault();
              startOver();
              asking.value = false;
            }}
          >
            <p>{said.startOverText}</p>
            <DialogButtons
              go={said.startOver}
              busy={false}
              danger
              close={() => {
                asking.value = false;
              }}
            />
          </form>
        </Dialog>
      )}
    </section>
  );
}

/** A mark and the word: never the colour alone. */
export const Mark = ({ good, children }: { good: boolean | null; children: string }) => (
  <span class={good === null ? 'quiet' : good ? 'ok' : 'bad'}>
    <span aria-hidden="true">{good === null ? '–' : good ? '✓' : '✗'}</span> {children}
  </span>
);

export function Verified({ device: { verified, provedAt } }: { device: ListedDevice }) {
  const said = commissionWords.value;
  if (!verified && provedAt !== null) return <Mark good>{said.provedByLogin(whenOf(provedAt))}</Mark>;
  if (!verified) return <Mark good={null}>{said.notYet}</Mark>;
  return (
    <Mark good={verified.genuine}>
      {`${verified.genuine ? said.genuine : said.notGenuine} ${hourMinute(verified.at)}`}
    </Mark>
  );
}

export function WifiState({ device: { wifi } }: { device: ListedDevice }) {
  const said = commissionWords.value;
  if (!wifi) return <Mark good={null}>{said.notYet}</Mark>;
  return <Mark good={wifi.configured}>{`${wifi.configured ? said.inNetwork : said.failed}: ${wifi.ssid}`}</Mark>;
}

export function FirstPunch({ device: { firstPunch } }: { device: ListedDevice }) {
  const said = commissionWords.value;
  if (!firstPunch) return <Mark good={null}>{said.notYet}</Mark>;
  return <Mark good>{`${whenOf(firstPunch.at)}${firstPunch.name === '' ? '' : ` ${firstPunch.name}`}`}</Mark>;
}
