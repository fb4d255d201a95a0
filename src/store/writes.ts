import type { Confirmation } from './domains/forwarding/writes.ts';
import type { Device, Product } from './port/directory.ts';
import type { DeviceNo, Seq } from './port/journal.ts';
import type { EraseReport } from './port/people.ts';
import type { StoreWriter, StoreWrites } from './port/store.ts';
import type { LiveDirectory } from './readers/directory.ts';
import type { WriterProxy } from './writer/proxy.ts';

/**
 * `store.write.x(input)` runs x in the writer thread, and updates the directory with its result.
 */
export function writesOf(
  writer: WriterProxy,
  directory: LiveDirectory,
  peopleChanged: (deviceNo: DeviceNo | null) => void,
  rewrittenSegments: (firstSeqs: readonly number[]) => void,
): StoreWriter {
  const putPeopleData = (devices: readonly Device[]) => {
    for (const device of devices) directory.put(device);
    for (const { deviceNo } of devices) peopleChanged(deviceNo);
  };
  const after: Partial<Record<keyof StoreWrites, (input: never, value: never) => void>> = {
    registerDevice: (_: never, device: Device) => directory.put(device),
    bringDevices: (_: never, devices: readonly Device[]) => {
      for (const device of devices) directory.put(device);
    },
    moveDevice: (_: never, device: Device) => directory.put(device),
    eraseStep: (_: never, { rewritten }: EraseReport) => rewrittenSegments(rewritten),
    removeBoxBelow: () => directory.reload(),
    setDeviceKey: (_: never, device: Device) => directory.put(device),
    confirmDeviceKey: (_: never, device: Device) => {
      directory.put(device);
      peopleChanged(device.deviceNo);
    },
    openProductKeyWindow: (_: never, device: Device) => directory.put(device),
    setPresentedPassword: (_: never, device: Device) => directory.put(device),
    setBlocked: (_: never, device: Device) => directory.put(device),
    setPeopleData: (_: never, devices: readonly Device[]) => putPeopleData(devices),
    changeManyDevices: (_: never, { changed }: { changed: readonly Device[] }) => putPeopleData(changed),
    undoManyDevices: (_: never, { changed }: { changed: readonly Device[] }) => putPeopleData(changed),
    letNewDevicesIn: (_: never, product: Product) => directory.putProduct(product),
    confirm: ({ confirmations }: { confirmations: readonly Confirmation[] }) => directory.confirmed(confirmations),
    park: ({ deviceNo, channel, seq }: Parameters<StoreWrites['park']>[0]) =>
      directory.confirmed([{ deviceNo, channel, upToSeq: seq, floorSeq: 0 as Seq }]),
    applySite: ({ dryRun }: { dryRun: boolean }) => {
      if (dryRun) return;
      directory.reload();
      peopleChanged(null);
    },
  };
  return new Proxy({} as StoreWriter, {
    get: (_, name) => async (input: never) => {
      const value = await writer.run(name as keyof StoreWrites, input);
      after[name as keyof StoreWrites]?.(input, value as never);
      return value;
    },
  });
}

/** Replaces some of the operations. */
export const over = <All extends object>(all: All, others: Partial<All>): All =>
  new Proxy(all, { get: (_, name) => others[name as keyof All] ?? all[name as keyof All] });
