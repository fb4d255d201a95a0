import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { CommissionReport } from '../../../../src/admin/ui/commission.ts';
import type { FoundDevice, ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { lines } from '../../api.ts';
import { Choice } from '../../parts/field.tsx';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { ByCode } from './by-code.tsx';
import { DeviceList } from './device-list.tsx';
import { putOnList, setUpOf } from './list.ts';
import { outcomeOf } from './run.ts';
import { failureWords } from './said.ts';
import { Steps } from './steps.tsx';
import { commissionWords } from './words.ts';

/** Finds devices by a scan or by their codes, and puts the chosen ones on the list. */
export function Find({ report }: { report: CommissionReport }) {
  const said = commissionWords.value;
  const { route } = useLocation();
  const setUp = (device: Parameters<typeof putOnList>[0]) => {
    putOnList(device);
    route(setUpOf(device.target));
  };
  if (!may('admin'))
    return (
      <>
        <p class="quiet">{said.adminOnly}</p>
        <DeviceList />
      </>
    );
  return (
    <>
      {report.bluetooth || report.wifi ? <Scan report={report} setUp={setUp} /> : <p class="notice">{said.neither}</p>}
      <h2>{said.byCode}</h2>
      <ByCode setUp={setUp} />
      <DeviceList />
    </>
  );
}

function Scan({
  report,
  setUp,
}: {
  report: CommissionReport;
  setUp: (device: Parameters<typeof putOnList>[0]) => void;
}) {
  const said = commissionWords.value;
  const events = useSignal<readonly ProvisionEvent[]>([]);
  const found = useSignal<readonly FoundDevice[] | null>(null);
  const problem = useSignal('');
  const running = useSignal(false);
  const via = useSignal<'' | FoundDevice['via']>('');
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);

  const scan = async () => {
    ending.current = new AbortController();
    events.value = [];
    problem.value = '';
    running.value = true;
    try {
      const { devices } = await outcomeOf(
        lines('post', '/provision/scan', { via: via.peek() || undefined }, ending.current.signal),
        event => {
          events.value = [...events.peek(), event];
        },
      );
      found.value = devices;
    } catch (error) {
      if (!ending.current.signal.aborted) problem.value = failureWords(error);
    }
    running.value = false;
  };
  return (
    <section aria-label={said.scan}>
      <div class="bar">
        {report.bluetooth && report.wifi && (
          <Choice
            label={said.way}
            value={via}
            onChange={event => {
              via.value = event.currentTarget.value as '' | FoundDevice['via'];
            }}
          >
            <option value="">{said.viaBoth}</option>
            <option value="bluetooth">{said.via.bluetooth}</option>
            <option value="hotspot">{said.via.hotspot}</option>
          </Choice>
        )}
        <button type="button" class="act go" disabled={running} onClick={() => void scan()}>
          {running.value ? said.scanning : said.scan}
        </button>
        {running.value && (
          <button type="button" class="act" onClick={() => ending.current?.abort()}>
            {said.stop}
          </button>
        )}
      </div>
      {running.value && <Steps events={events.value} />}
      <p class="bad" role="alert">
        {problem}
      </p>
      {found.value !== null && (
        <>
          <p role="status">{found.value.length === 0 ? said.foundNone : said.foundSome(found.value.length)}</p>
          {found.value.length > 0 && (
            <Table
              caption={said.foundCaption}
              rows={found.value}
              rowKey={row => `${row.via} ${row.name} ${row.address}`}
              columns={[
                { key: 'name', title: said.name, cell: row => <span class="mono">{row.name || said.noName}</span> },
                { key: 'address', title: said.address, cell: row => <span class="mono">{row.address || '–'}</span> },
                { key: 'via', title: said.by, cell: row => said.via[row.via] },
                { key: 'signal', title: said.signal, cell: row => (row.quality === null ? '–' : `${row.quality} %`) },
                {
                  key: 'add',
                  title: '',
                  cell: row => (
                    <button
                      type="button"
                      class="act"
                      aria-label={said.setUpOf(row.name || row.address)}
                      onClick={() => setUp({ target: targetOf(row), name: row.name, via: row.via })}
                    >
                      {said.open}
                    </button>
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </section>
  );
}

/** Two devices may have the same name over Bluetooth, so the address is used there. */
const targetOf = ({ address, name }: FoundDevice): string => address || name;
