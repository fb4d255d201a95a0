import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { CommissionReport } from '../../../../src/admin/ui/commission.ts';
import { lines } from '../../api.ts';
import { Choice } from '../../parts/field.tsx';
import { may } from '../../session.ts';
import { AdoptDialog } from '../devices/dialogs.tsx';
import { DeviceList } from './device-list.tsx';
import { change, type ListedDevice, list, setUpOf, titleOf } from './list.ts';
import { outcomeOf } from './run.ts';
import { verifyWords } from './said.ts';
import { Steps } from './steps.tsx';
import { useRun } from './use-run.ts';
import { Wifi } from './wifi.tsx';
import { commissionWords } from './words.ts';

/** One device of the list: its product becomes known, it gets its network, and is verified. */
export function SetUp({
  target,
  report,
  reload,
}: {
  target: string | null;
  report: CommissionReport;
  reload: () => void;
}) {
  const { route } = useLocation();
  const said = commissionWords.value;
  const { devices } = list.value;
  const device = devices.find(one => one.target === target) ?? devices[0];
  if (!may('admin')) return <p class="quiet">{said.adminOnly}</p>;
  if (!device) return <p class="quiet">{said.empty}</p>;
  return (
    <>
      <div class="bar">
        <Choice
          label={said.device}
          value={device.target}
          onChange={event => route(setUpOf(event.currentTarget.value), true)}
        >
          {devices.map(one => (
            <option key={one.target} value={one.target}>
              {titleOf(one)}
            </option>
          ))}
        </Choice>
      </div>
      <div key={device.target}>
        <Product {...{ device, report, reload }} />
        <Wifi device={device} hasList={report.wifi} />
        {device.via !== 'hotspot' && report.bluetooth && <Verify device={device} />}
        <p class="bar">
          <a
            class={device.wifi?.configured || device.networkFlow === null ? 'act go' : 'act'}
            href="/commission?step=walk"
          >
            {said.next}
          </a>
        </p>
      </div>
      <DeviceList />
    </>
  );
}

/** The product of a device whose kind nobody has added yet. */
function Product({ device, report, reload }: { device: ListedDevice; report: CommissionReport; reload: () => void }) {
  const said = commissionWords.value;
  const isAsking = useSignal(false);
  const done = useSignal('');
  const { deviceId } = device;
  const cut = deviceId?.indexOf('_') ?? -1;
  if (deviceId === null || cut < 0) return null;
  const product = deviceId.slice(0, cut);
  const isKnown = report.products.some(one => one.product_id === product);
  if (isKnown && done.value === '') return null;
  const close = () => {
    isAsking.value = false;
  };
  return (
    <section aria-labelledby="product">
      <h2 id="product">{said.productTitle}</h2>
      {isKnown ? (
        <p role="status" class="ok">
          {done}
        </p>
      ) : (
        <>
          <p>{said.productNew(product)}</p>
          <p>
            <button
              type="button"
              class="act go"
              onClick={() => {
                isAsking.value = true;
              }}
            >
              {said.productAdd}
            </button>
          </p>
        </>
      )}
      {isAsking.value && (
        <AdoptDialog
          product={product}
          device={deviceId}
          close={close}
          done={sentence => {
            done.value = sentence;
            close();
            reload();
          }}
        />
      )}
    </section>
  );
}

function Verify({ device }: { device: ListedDevice }) {
  const said = commissionWords.value;
  const { running, problem, events, go } = useRun();
  const { verified } = device;
  const verify = () =>
    go(async (onEvent, signal) => {
      const outcome = await outcomeOf(
        lines('post', '/provision/verify', { target: device.target, via: device.via || undefined }, signal),
        onEvent,
      );
      const { genuine, message, code, params, device_id, model } = outcome;
      change(device.target, {
        deviceId: device_id.toUpperCase() || device.deviceId,
        model: model || device.model,
        verified: { at: Date.now(), genuine, message, code, params },
      });
    });
  return (
    <section aria-labelledby="verify">
      <h2 id="verify">{said.verifyTitle}</h2>
      <p class="quiet">{said.verifyLead}</p>
      <p>
        <button type="button" class="act go" disabled={running} onClick={() => void verify()}>
          {said.verify}
        </button>
      </p>
      <Steps events={events.value} />
      <p class="bad" role="alert">
        {problem}
      </p>
      {verified && !running.value && (
        <p role="status" class={verified.genuine ? 'notice ok' : 'notice bad'}>
          {verifyWords(verified)}
        </p>
      )}
    </section>
  );
}
