import { useSignal } from '@preact/signals';
import type { JSX, TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { PasswordForm } from '../../../../src/platform/wifi-password.ts';
import { lines } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { change, type ListedDevice, list, note, titleOf } from './list.ts';
import { outcomeOf } from './run.ts';
import { resultWords } from './said.ts';
import { Steps } from './steps.tsx';
import { useRun } from './use-run.ts';
import { commissionWords } from './words.ts';

/** Gives the device its network: one that the gateway sees, or another by its name. */
export function Wifi({ device, hasList }: { device: ListedDevice; hasList: boolean }) {
  const said = commissionWords.value;
  const { running, problem, events, go } = useRun();
  const form = useRef<HTMLFormElement>(null);
  const { wifi, networkFlow } = device;
  const send = (passwordForm?: PasswordForm | null) =>
    go(async (onEvent, signal) => {
      const values = new FormData(form.current!);
      const text = (name: string) => String(values.get(name) ?? '');
      const ssid = text('ssid');
      note({ ssid });
      const outcome = await outcomeOf(
        lines(
          'post',
          '/provision/wifi',
          {
            target: device.target,
            via: device.via || undefined,
            ssid,
            key: text('key'),
            hotspotKey: text('hotspotKey') || undefined,
            leave: values.get('leave') === 'on' ? true : undefined,
            form: passwordForm ?? undefined,
          },
          signal,
        ),
        onEvent,
      );
      const { configured, message, code, params, try_form, device_id, model } = outcome;
      change(device.target, {
        deviceId: device_id || device.deviceId,
        model: model || device.model,
        wifi: { at: Date.now(), ssid, configured, message, code, params, try_form },
      });
    });
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send();
  };
  return (
    <section aria-labelledby="wifi">
      <h2 id="wifi">{said.wifiTitle}</h2>
      {networkFlow === null && <p class="quiet">{said.noNetworkSetUp(titleOf(device))}</p>}
      {networkFlow !== null && networkFlow !== '' && (
        <p class="quiet as-written">{said.networkFlow(titleOf(device), networkFlow)}</p>
      )}
      <form ref={form} onSubmit={submit} class="wifi-form">
        <Network hasList={hasList} known={wifi?.ssid ?? list.peek().ssid} />
        <Field label={said.key} hint={said.keyHint} name="key" type="password" autocomplete="off" maxLength={64} />
        {device.via === 'hotspot' && (
          <>
            <Field label={said.hotspotKey} name="hotspotKey" type="password" autocomplete="off" maxLength={64} />
            <label class="check">
              <input type="checkbox" name="leave" />
              {said.leave}
            </label>
          </>
        )}
        <p>
          <button type="submit" class="act go" disabled={running}>
            {said.send}
          </button>
        </p>
        {running.value && <p class="quiet">{said.sending}</p>}
      </form>
      <Steps events={events.value} />
      <p class="bad" role="alert">
        {problem}
      </p>
      {wifi && !running.value && (
        <p role="status" class={wifi.configured ? 'notice ok' : 'notice bad'}>
          {resultWords(wifi)}
        </p>
      )}
      {wifi?.try_form && !running.value && (
        <p>
          <button type="button" class="act" onClick={() => void send(wifi.try_form)}>
            {said.otherForm}
          </button>
        </p>
      )}
    </section>
  );
}

const other = '';

/** The name of a network. A gateway without wifi sees none, and one may be hidden. */
function Network({ hasList, known }: { hasList: boolean; known: string }) {
  const said = commissionWords.value;
  const typed = <Field label={said.ssid} name="ssid" required maxLength={32} defaultValue={known} />;
  return hasList ? <NetworkChoice known={known} typed={typed} /> : typed;
}

function NetworkChoice({ known, typed }: { known: string; typed: JSX.Element }) {
  const said = commissionWords.value;
  const { loaded } = useLoaded('/provision/networks');
  const { data, problem } = loaded.value;
  const chosen = useSignal<string | null>(null);
  const seen = (data?.networks ?? []).filter(({ ssid }) => ssid !== known);
  const value = chosen.value ?? (known || seen[0]?.ssid || other);
  const isSearching = !data && !problem;
  return (
    <>
      <Choice
        label={said.network}
        name={value === other ? undefined : 'ssid'}
        value={value}
        required={isSearching}
        onChange={event => {
          chosen.value = event.currentTarget.value;
        }}
      >
        {known !== '' && <option value={known}>{known}</option>}
        {seen.map(({ ssid, quality }) => (
          <option key={ssid} value={ssid}>
            {`${ssid} · ${quality} %`}
          </option>
        ))}
        <option value={other}>{isSearching ? said.networksSearching : said.networkOther}</option>
      </Choice>
      {value === other && !isSearching && typed}
    </>
  );
}
