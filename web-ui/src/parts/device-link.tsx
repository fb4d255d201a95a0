import { cloudWord } from '../words/punches.ts';

interface Named {
  /** Empty: the cloud lists it, and no device of the site reported it. */
  readonly device_id: string;
  /** Its name; empty: it has none. */
  readonly device: string;
}

/** A device by its name, to its page. */
export const DeviceLink = ({ of: { device_id: id, device } }: { of: Named }) =>
  id === '' ? <span>{device || cloudWord()}</span> : <a href={`/devices/${encodeURIComponent(id)}`}>{device || id}</a>;

const deviceIds = /(?<![\w-])([0-9A-Z-]{1,16}_[0-9A-Z][0-9A-Z-]*)(?![\w-])/;

/** A text of the box with the devices in it as links. An id has capitals; `device_no` is none. */
export const withDevices = (text: string) =>
  text
    .split(deviceIds)
    .map((part, index) => (index % 2 === 1 ? <DeviceLink key={index} of={{ device_id: part, device: '' }} /> : part));
