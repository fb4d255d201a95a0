import { useSignal } from '@preact/signals';
import type { DeviceCounts } from '../../../../src/admin/ui/device-rows.ts';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { AdoptDialog } from './dialogs.tsx';
import { say } from './words.ts';

/** Products whose key here fits none of their devices: shown until it is corrected. */
export function WrongKeys({ products, changed }: { products: DeviceCounts['products']; changed: () => void }) {
  const said = say.value;
  const opened = useSignal<string | null>(null);
  const close = () => {
    opened.value = null;
  };
  return (
    <>
      {products
        .filter(one => one.key_fits_nobody)
        .map(({ product_id, name }) => (
          <div class="notice bad" key={product_id}>
            <p>{said.keyFitsNobody(name || product_id)}</p>
            {may('admin') && (
              <p>
                <button
                  type="button"
                  class="act"
                  onClick={() => {
                    opened.value = product_id;
                  }}
                >
                  {said.correctKey}
                </button>
              </p>
            )}
          </div>
        ))}
      {opened.value !== null && (
        <AdoptDialog
          device={null}
          product={opened.value}
          close={close}
          done={sentence => {
            sayDone(sentence);
            close();
            changed();
          }}
        />
      )}
    </>
  );
}
