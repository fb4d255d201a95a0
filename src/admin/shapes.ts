import { z } from '@hono/zod-openapi';
import { described } from '../words/described.ts';

/** Schemas that several operations share. */
export const done = z.object({ done: z.literal(true) });
export const found = z.object({ found: z.boolean() });
export const rowId = z.coerce.number<number>().int().positive();
export const personName = z.string().trim().min(1).max(64);

export const productRegistration = z
  .object({
    discovery: z
      .enum(['qr', 'broadcast', 'both'])
      .nullable()
      .describe(described('How an app finds its devices', '应用如何发现其设备')),
    network_configuration: z
      .enum(['bluetooth', 'hotspot', 'both', 'none'])
      .nullable()
      .describe(described('Over what an app configures their network', '应用通过什么为其配网')),
    network_configuration_flow: z.string().describe(described('What a person does for it', '需要人做的操作')),
    app_supported: z.boolean(),
    attributes: z.record(z.string(), z.string()),
  })
  .describe(
    described(
      'What else the registration of the product configures (SPEC 2.1); null where nobody has said',
      '产品登记中的其他设置（规范 2.1）；没有人填写时为 null',
    ),
  );

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
    .describe(
      described(
        'The clock that dated it was wrong, of this box or of one below: the time of receipt is not known',
        '记录该时间的时钟（本网关或下级网关）不对，接收时间未知',
      ),
    ),
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
  message: z.string().describe(described('The likely mistake and the remedy', '可能的错误及处理办法')),
  string_to_sign: z
    .string()
    .describe(
      described(
        'What should have been signed, the secret masked; empty where that is not the matter',
        '应当签名的文本，密钥已遮盖；与此无关时为空',
      ),
    ),
  parts: z.array(signedPart).describe(described('The same in its parts', '同一文本，分成各部分')),
  differs: signedPart.shape.name
    .nullable()
    .describe(
      described(
        'The first part that was signed otherwise, as far as that can be told; null: all of them may be right',
        '第一个签名不同的部分，就所能判断而言；null：可能全部正确',
      ),
    ),
  mistake: z
    .string()
    .describe(
      described('The reason in `message`, as a word for a page', '`message` 中的原因，以一个词表示，供网页使用'),
    ),
  named: z
    .string()
    .describe(
      described(
        'What `message` names, such as another caller; empty: nothing. Never a secret',
        '`message` 中所指的内容，例如另一个调用方；空：没有。不含密钥',
      ),
    ),
  count: z.number(),
} as const;
