import { z } from '@hono/zod-openapi';
import { parseDeviceId, productOf } from '../platform/device-id.ts';
import { signatureForm, signatureNumber } from '../platform/device-signature.ts';
import type { Directory } from '../store/index.ts';
import { byCommand, operation, type Running } from './operation.ts';

export const verificationOperations = {
  verify: operation({
    method: 'post',
    path: '/devices/verify',
    role: 'viewer',
    summary:
      'Whether a device has the key of its product, by its signature of SPEC 5.4: for apps that met it by Bluetooth',
    body: z.object({
      device_id: z.string().max(64).describe('As the device sent it: what it signed'),
      model: z.string().max(64).describe('As the device sent it; in any letter case'),
      random: z.string().min(1).max(255).describe('What the app sent with command 0x02'),
      signature: z
        .string()
        .min(1)
        .max(16)
        .describe('CRC32 over device_id-random-product_key: 8 hex digits, or decimal'),
    }),
    returns: 'Yes or no: no for an unknown product and for another model too',
    answer: z.object({ genuine: z.boolean() }),
  }),
};

export const verificationAdmin = (directory: Directory): Running<typeof verificationOperations> => ({
  async verify({ device_id, model, random, signature }, call = byCommand) {
    const id = parseDeviceId(device_id);
    const product = id.ok ? directory.product(productOf(id.value)) : undefined;
    const isModel = product?.model.toUpperCase() === model.toUpperCase();
    const genuine =
      product !== undefined &&
      isModel &&
      signatureForm(Buffer.from(signature), signatureNumber(device_id, Buffer.from(random), product.productKey)) !==
        null;
    call.subject(`${id.ok ? id.value : 'no device id'}: ${genuine ? 'genuine' : 'not genuine'}`);
    return { genuine };
  },
});
