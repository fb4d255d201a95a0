import { z } from '@hono/zod-openapi';
import { type BoxChoice, type DeviceNo, type Directory, devicesOfBox } from '../store/index.ts';
import { described } from '../words/described.ts';

/** A box as people and programs write it: `here`, or an id in any case. */
const boxChosen = (text: string): BoxChoice => (text === 'here' ? text : (text.toUpperCase() as BoxChoice));

/** Of which box the devices are that a list, or a file of records, is about. */
export const boxOfDevices = z
  .string()
  .max(80)
  .transform(id => boxChosen(id))
  .describe(
    described('Of the box below with this id; here: of no box below', '属于该编号的下级网关；here：不属于任何下级网关'),
  );

/** The same for a read of the store; an empty choice is none. */
export const devicesChosen = (
  directory: Directory,
  box: string | undefined,
): { readonly deviceNos?: ReadonlySet<DeviceNo> } =>
  box === undefined || box === '' ? {} : { deviceNos: devicesOfBox(directory, boxChosen(box)) };
