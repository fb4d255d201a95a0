import { z } from '@hono/zod-openapi';
import { keepSecrets } from '../config/index.ts';
import { described } from '../words/described.ts';
import { refused } from './problem.ts';

/** The body of a route that replaces settings of a section of the config, chosen on a page. */
export const settingsSent = (section: string) =>
  z.record(z.string(), z.unknown()).openapi({
    description: described(
      `As under \`${section}\` in the config; null leaves a secret as it is, where what it is sent to stays`,
      `与配置文件中的 \`${section}\` 相同；null 表示密钥保持不变，前提是发送目标不变`,
    ),
  });

export const secretAgain = described(
  'secret_again: the host, the user or the like beside a secret changed, and the secret was left as it is; the detail names it',
  'secret_again：密钥对应的主机、用户等已更改，而密钥没有重新提供；详情中指出是哪个',
);

/**
 * Settings that a caller sent, read by the schema of the config, with the secrets that it left as
 * they were. Throws AdminRefused: 400 where a secret has to be sent again, 422 for a wrong value.
 */
export function readSettings<Settings>(
  schema: z.ZodType<Settings>,
  sent: Readonly<Record<string, unknown>>,
  kept: object,
): Settings {
  const whole = keepSecrets(schema, sent, { ...kept });
  if (!whole.ok) throw refused(400, 'secret_again', whole.why);
  const read = schema.safeParse(whole.settings);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw refused(422, path || 'settings', `${path}: ${issue?.message ?? 'wrong'}`);
}
