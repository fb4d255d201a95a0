import { z } from '@hono/zod-openapi';
import { type BoxChoice, type DeviceNo, type Directory, devicesOfBox } from '../store/index.ts';

/** A box as people and programs write it: `here`, or an id in any case. */
const boxChosen = (text: string): BoxChoice => (text === 'here' ? text : (text.toUpperCase() as BoxChoice));

/** Of which box the devices are that a list, or a file of records, is about. */
export const boxOfDevices = z
  .string()
  .max(80)
  .transform(id => boxChosen(id))
  .describe('Of the box below with this id; here: of no box below');

/** The same for a read of the store; an empty choice is none. */
export const devicesChosen = (
  directory: Directory,
  box: string | undefined,
): { readonly deviceNos?: ReadonlySet<DeviceNo> } =>
  box === undefined || box === '' ? {} : { deviceNos: devicesOfBox(directory, boxChosen(box)) };
