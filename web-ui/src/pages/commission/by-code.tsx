import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { get, type Problem } from '../../api.ts';
import { Field } from '../../parts/field.tsx';
import { Camera, canReadCodes } from './camera.tsx';
import type { putOnList } from './list.ts';
import { commissionWords } from './words.ts';

/** A device by its code, typed or read by the camera. */
export function ByCode({ setUp }: { setUp: (device: Parameters<typeof putOnList>[0]) => void }) {
  const said = commissionWords.value;
  const text = useSignal('');
  const problem = useSignal('');
  const camera = useSignal(false);

  const take = async (code: string) => {
    problem.value = '';
    if (!code.includes('://')) {
      setUp({ target: code, name: code, via: null, deviceId: code.includes('_') ? code.toUpperCase() : null });
      return;
    }
    try {
      const { device_id: id, model, registration } = await get('/qr-read', { text: code });
      if (id === null) {
        problem.value = said.noIdInCode;
        return;
      }
      const { network_configuration: over, network_configuration_flow: flow = '' } = registration ?? {};
      const networkFlow = over === 'none' ? null : flow;
      setUp({ target: id, name: id, via: null, deviceId: id, model: model ?? '', networkFlow });
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
          {said.open}
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
