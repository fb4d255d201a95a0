import { z } from '@hono/zod-openapi';

/** Schemas that several operations share. */
export const done = z.object({ done: z.literal(true) });
export const found = z.object({ found: z.boolean() });
export const rowId = z.coerce.number<number>().int().positive();
export const personName = z.string().trim().min(1).max(64);

export const productRegistration = z
  .object({
    discovery: z.enum(['qr', 'broadcast', 'both']).nullable().describe('How an app finds its devices'),
    network_configuration: z
      .enum(['bluetooth', 'hotspot', 'both', 'none'])
      .nullable()
      .describe('Over what an app configures their network'),
    network_configuration_flow: z.string().describe('What a person does for it'),
    app_supported: z.boolean(),
    attributes: z.record(z.string(), z.string()),
  })
  .describe('What else the registration of the product configures (SPEC 2.1); null where nobody has said');

/** A record of a device's log. */
export const deviceLog = z.object({
  seq: z.number(),
  device_id: z.string(),
  model: z.string(),
  sn: z.string(),
  received_at: z.number(),
  text: z.string(),
  truncated: z.boolean(),
  repaired: z.boolean(),
  clamped: z
    .boolean()
    .describe('The clock that dated it was wrong, of this box or of one below: the time of receipt is not known'),
});

/** A part of the string that a caller should have signed. */
const signedPart = z.object({
  name: z.enum(['path', 'App-Timestamp', 'App-Key', 'App-Secret', 'app_id', 'app_key', 'nonce', 'timestamp']),
  text: z.string(),
});

/** A call of a public API that was refused, as far as both APIs tell it alike. */
export const refusedCallShape = {
  at: z.number(),
  address: z.string(),
  path: z.string(),
  message: z.string().describe('The likely mistake and the remedy'),
  string_to_sign: z
    .string()
    .describe('What should have been signed, the secret masked; empty where that is not the matter'),
  parts: z.array(signedPart).describe('The same in its parts'),
  differs: signedPart.shape.name
    .nullable()
    .describe('The first part that was signed otherwise, as far as that can be told; null: all of them may be right'),
  mistake: z.string().describe('The reason in `message`, as a word for a page'),
  named: z.string().describe('What `message` names, such as another caller; empty: nothing. Never a secret'),
  count: z.number(),
} as const;
