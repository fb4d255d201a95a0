import { z } from '@hono/zod-openapi';
import { signedPartNames } from '../platform/signature.ts';
import type { SignedRequest } from '../platform/signed-request.ts';
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
const signedPart = z.object({ name: z.enum(signedPartNames), text: z.string() });

/** Why a request was rejected: for the signature with both strings, else with `mistake` alone. */
export const mistakeShape = {
  mistake: z
    .string()
    .describe(
      described('The reason in `message`, as a word for a page', '`message` 中的原因，以一个词表示，供网页使用'),
    ),
  message: z.string().describe(described('The likely mistake and the remedy', '可能的错误及处理办法')),
  named: z
    .string()
    .describe(
      described(
        'What `message` names, such as another caller; empty: nothing. Never a secret',
        '`message` 中所指的内容，例如另一个调用方；空：没有。不含密钥',
      ),
    ),
  differs: signedPart.shape.name
    .nullable()
    .describe(
      described(
        'The first part that was signed otherwise, as far as that can be told; null: all of them may be right',
        '第一个签名不同的部分，就所能判断而言；null：可能全部正确',
      ),
    ),
  signed: z
    .array(signedPart)
    .describe(
      described(
        'The string that the caller signed, in its parts; secrets, query and body masked; empty: not known',
        '调用方签名的原文，分成各部分；密钥、查询参数和请求内容已遮盖；空：未知',
      ),
    ),
  differs_at: z
    .number()
    .nullable()
    .describe(
      described(
        'Index of the first part that differs between `signed` and `parts`; null: none does',
        '`signed` 与 `parts` 首个不同部分的序号；null：没有不同',
      ),
    ),
  digest: z
    .string()
    .describe(
      described(
        'Digest that the caller took, where that is no MD5 in hex; else empty',
        '调用方使用的摘要算法，不是十六进制 MD5 时；否则为空',
      ),
    ),
} as const;

const partsToSign = z
  .array(signedPart)
  .describe(
    described(
      'The right string to sign, in its parts, the secret masked; empty where that is not the matter',
      '应签名的原文，分成各部分，密钥已遮盖；与此无关时为空',
    ),
  );

/** A request of a signed API, as far as both APIs tell it alike. */
export const requestShape = {
  address: z.string(),
  method: z.string(),
  path: z.string(),
  command: z.string().describe(described('Api-Cmd; empty: none', 'Api-Cmd；空：没有')),
  status: z.number().describe(described('HTTP status', 'HTTP 状态码')),
  code: z.number().describe(described('`code` of the body; 0: success', '响应内容中的 `code`；0：成功')),
  at: z.number().describe(described('Time of the last of these equal requests', '相同请求中最后一次的时间')),
  ms: z.number().describe(described('How long it took', '用时（毫秒）')),
  since: z.number().describe(described('Time of the first', '第一次的时间')),
  ms_max: z.number().describe(described('The longest of them', '最长用时（毫秒）')),
  count: z.number(),
  parts: partsToSign,
} as const;

/** A request of a signed API that was refused before its caller was known. */
export const refusedCallShape = {
  ...requestShape,
  ...mistakeShape,
  string_to_sign: z.string().describe(described('`parts` in one text', '`parts` 合成的文本')),
} as const;

/** As a command reads it. */
export function refusedCallOf({ caller: _, identified: _known, why, ...request }: SignedRequest) {
  return {
    ...request,
    ...why!,
    parts: [...request.parts],
    signed: [...why!.signed],
    string_to_sign: request.parts.map(({ text }) => text).join(''),
  };
}
