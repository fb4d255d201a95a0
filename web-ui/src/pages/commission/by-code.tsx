import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { get, type Problem } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { Camera, canReadCodes } from './camera.tsx';
import type { putOnList } from './list.ts';
import { commissionWords } from './words.ts';

/** A device by its code, typed or read by the camera. */
export function ByCode({ add }: { add: (device: Parameters<typeof putOnList>[0]) => void }) {
  const said = commissionWords.value;
  const text = useSignal('');
  const problem = useSignal('');
  const hint = useSignal('');
  const camera = useSignal(false);

  const take = async (code: string) => {
    problem.value = '';
    hint.value = '';
    if (!code.includes('://')) {
      add({ target: code, name: code, via: null, deviceId: code.includes('_') ? code.toUpperCase() : null });
      text.value = '';
      return;
    }
    try {
      const read = await get('/qr-read', { text: code });
      const { network_configuration: over, network_configuration_flow: flow = '' } = read.registration ?? {};
      const named = read.device_id ?? read.product_id ?? code;
      if (over === 'none') hint.value = said.noNetworkSetUp(named);
      else if (flow !== '') hint.value = said.networkFlow(named, flow);
      if (read.device_id === null) {
        problem.value = said.noIdInCode;
        return;
      }
      add({
        target: read.device_id,
        name: read.device_id,
        via: null,
        deviceId: read.device_id,
        model: read.model ?? '',
      });
      text.value = '';
      if (!read.product_known) problem.value = said.productUnknown(read.device_id);
    } catch (error) {
      problem.value = (error as Problem).status === 422 ? said.badCode : (error as Problem).message;
    }
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void take(text.peek().trim());
  };
  return (
    <>
      <form class="bar by-code" onSubmit={submit}>
        <Field
          label={said.codeLabel}
          placeholder={said.codeExample}
          class="mono wide"
          value={text}
          required
          maxLength={2000}
          onInput={event => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="act">
          {said.addOne}
        </button>
        {canReadCodes() && (
          <button
            type="button"
            class="act"
            onClick={() => {
              camera.value = true;
            }}
          >
            {said.camera}
          </button>
        )}
      </form>
      <p class="bad" role="alert">
        {problem}
      </p>
      <p class="quiet as-written" role="status">
        {hint}
      </p>
      {camera.value && (
        <Camera
          read={code => {
            camera.value = false;
            void take(code);
          }}
          close={() => {
            camera.value = false;
          }}
        />
      )}
    </>
  );
}
