import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { words } from '../../words/index.ts';
import { commissionWords } from './words.ts';

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorMaker = new (options: { formats: string[] }) => Detector;

const makerOf = (): DetectorMaker | undefined => (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector;

/** Not every browser reads codes; the others have the text field. */
export const canReadCodes = (): boolean => makerOf() !== undefined && navigator.mediaDevices !== undefined;

const lookEveryMs = 250;

/** The camera until it has seen a QR code. Pictures stay in this browser. */
export function Camera({ read, close }: { read: (text: string) => void; close: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const failed = useSignal(false);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    let over = false;
    const start = async () => {
      const detector = new (makerOf()!)({ formats: ['qr_code'] });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const shown = video.current;
      if (over || !shown) return stop();
      shown.srcObject = stream;
      await shown.play();
      timer = setInterval(async () => {
        const [code] = await detector.detect(shown).catch(() => []);
        if (code && !over) read(code.rawValue);
      }, lookEveryMs);
    };
    const stop = () => {
      over = true;
      clearInterval(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => {
      failed.value = true;
    });
    return stop;
  }, []);
  const said = commissionWords.value;
  return (
    <Dialog title={said.cameraTitle} close={close}>
      {failed.value ? <p role="alert">{said.cameraNone}</p> : <video ref={video} class="camera" muted playsInline />}
      <p class="bar">
        <button type="button" class="act" onClick={close}>
          {words.value.act.close}
        </button>
      </p>
    </Dialog>
  );
}
