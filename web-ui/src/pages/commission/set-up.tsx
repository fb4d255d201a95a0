import { type Signal, useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { PasswordForm } from '../../../../src/platform/wifi-password.ts';
import type { ProvisionEvent } from '../../../../src/provisioning/site-devices/events.ts';
import { lines } from '../../api.ts';
import { Choice, Field } from '../../parts/field.tsx';
import { may } from '../../session.ts';
import { DeviceList } from './device-list.tsx';
import { change, type ListedDevice, list, note, titleOf } from './list.ts';
import { outcomeOf } from './run.ts';
import { failureWords, resultWords, verifyWords } from './said.ts';
import { Steps } from './steps.tsx';
import { commissionWords } from './words.ts';

/** One device of the list: checks that it is genuine, and sets its network. */
export function SetUp({ target }: { target: string | null }) {
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
          onChange={event =>
            route(`/commission?step=setup&device=${encodeURIComponent(event.currentTarget.value)}`, true)
          }
        >
          {devices.map(one => (
            <option key={one.target} value={one.target}>
              {titleOf(one)}
            </option>
          ))}
        </Choice>
      </div>
      <div key={device.target}>
        <Verify device={device} />
        <Wifi device={device} />
      </div>
      <DeviceList />
    </>
  );
}

interface Going {
  readonly running: Signal<boolean>;
  readonly problem: Signal<string>;
  readonly events: Signal<readonly ProvisionEvent[]>;
  readonly go: (act: (onEvent: (event: ProvisionEvent) => void, signal: AbortSignal) => Promise<void>) => Promise<void>;
}

/** A run of the box as long as the page is open. */
function useRun(): Going {
  const running = useSignal(false);
  const problem = useSignal('');
  const events = useSignal<readonly ProvisionEvent[]>([]);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  const go: Going['go'] = async act => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    events.value = [];
    problem.value = '';
    running.value = true;
    try {
      await act(event => {
        events.value = [...events.peek(), event];
      }, signal);
    } catch (error) {
      if (!signal.aborted) problem.value = failureWords(error);
    }
    running.value = false;
  };
  return { running, problem, events, go };
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
      {device.via === 'hotspot' ? (
        <p class="quiet">{said.notByHotspot}</p>
      ) : (
        <>
          <p class="quiet">{said.verifyLead}</p>
          <p>
            <button type="button" class="act go" disabled={running} onClick={() => void verify()}>
              {said.verify}
            </button>
          </p>
        </>
      )}
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

function Wifi({ device }: { device: ListedDevice }) {
  const said = commissionWords.value;
  const { running, problem, events, go } = useRun();
  const form = useRef<HTMLFormElement>(null);
  const { wifi } = device;
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
      <form ref={form} onSubmit={submit} class="wifi-form">
        <Field label={said.ssid} name="ssid" required maxLength={32} defaultValue={wifi?.ssid ?? list.peek().ssid} />
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
