import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { now } from '../../parts/now.ts';
import { ago, count, moment, span } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { State } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { clockWords } from '../../words/clocks.ts';
import { say } from './words.ts';

/** Facts about the device, and its code. */
export function Facts({ device }: { device: DevicePageReport }) {
  const said = say.value;
  const { device_id, line } = device;
  const path = encodeURIComponent(device_id);
  return (
    <div class="cols">
      <section aria-labelledby="facts">
        <h2 id="facts">{said.facts}</h2>
        <dl class="facts">
          <dt>{said.state}</dt>
          <dd>
            <State state={device.state} />
            {device.since !== null && (
              <>
                {' '}
                <span class="quiet">{span(now.value - device.since)}</span>
              </>
            )}
          </dd>
          <dt>{said.id}</dt>
          <dd class="mono">{device_id}</dd>
          <dt>{said.product}</dt>
          <dd>{[device.product || device.product_id, device.model].filter(Boolean).join(', ')}</dd>
          {device.registration && <Registration of={device.registration} />}
          <dt>{said.lastRecord}</dt>
          <dd>
            {device.last_seen_at === null
              ? said.noRecord
              : `${moment(device.last_seen_at)} (${ago(device.last_seen_at, now.value)})`}
          </dd>
          <dt>{said.belongsTo}</dt>
          <dd>{belongsIn(device.belongs_to)}</dd>
          <dt>{said.connection}</dt>
          <dd>{device.address === null ? said.never : whySaid({ ...device.address, why: device.address.reason })}</dd>
          <dt>{said.keyKind}</dt>
          <dd>
            {said.keys[device.key] ?? device.key}
            {device.product_key_until !== null && ` ${said.until(whenOf(device.product_key_until))}`}
          </dd>
          <dt>{said.clock}</dt>
          <dd>{clockWords(device.clock)}</dd>
          {device.unreadable && (
            <>
              <dt>{said.unreadable}</dt>
              <dd class="warn">
                {said.unreadableSince(count(device.unreadable.messages), whenOf(device.unreadable.since))}{' '}
                {whySaid(device.unreadable)} ({ago(device.unreadable.last_at, now.value)})
                {device.unreadable.first_bytes !== null && (
                  <p class="mono as-written">{device.unreadable.first_bytes}</p>
                )}
              </dd>
            </>
          )}
          <dt>{said.waiting}</dt>
          <dd>{count(device.waiting)}</dd>
          <dt>{said.today}</dt>
          <dd>{count(device.today)}</dd>
          {line && (
            <>
              <dt>{said.cloudLine}</dt>
              <dd>
                {said.lineStates[line.state] ?? line.state}
                {line.why !== '' && `: ${whySaid(line)}`}
              </dd>
            </>
          )}
          <dt>{said.since}</dt>
          <dd>{moment(device.first_seen_at)}</dd>
        </dl>
      </section>
      <section class="device-code" aria-labelledby="code">
        <h2 id="code">{said.qr(device_id)}</h2>
        {device.product_known ? (
          <>
            <img src={`/admin/v1/devices/${path}/qr?format=svg`} alt={said.qr(device_id)} width={180} height={180} />
            <p>
              <a href={`/admin/v1/labels?device=${path}`} target="_blank" rel="noopener">
                {said.label}
              </a>
            </p>
          </>
        ) : (
          <p class="quiet">{said.productGone}</p>
        )}
      </section>
    </div>
  );
}

/** Registration of its product; absent fields are left out. */
function Registration({ of }: { of: NonNullable<DevicePageReport['registration']> }) {
  const said = say.value;
  const { discovery, network_configuration, network_configuration_flow, app_supported, attributes } = of;
  return (
    <>
      {discovery !== null && (
        <>
          <dt>{said.discovery}</dt>
          <dd>{said.discoveries[discovery]}</dd>
        </>
      )}
      {(network_configuration !== null || network_configuration_flow !== '') && (
        <>
          <dt>{said.networkConfiguration}</dt>
          <dd>
            {network_configuration !== null && said.networkConfigurations[network_configuration]}
            {network_configuration_flow !== '' && <p class="quiet as-written">{network_configuration_flow}</p>}
          </dd>
        </>
      )}
      {!app_supported && (
        <>
          <dt>{said.app}</dt>
          <dd>{said.noApp}</dd>
        </>
      )}
      {Object.entries(attributes).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </>
  );
}

function belongsIn(box: string | null): string {
  if (box === null) return say.value.belongsNobody;
  return box === 'here' ? say.value.belongsHere : box;
}
