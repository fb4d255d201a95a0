import type { Hono } from 'hono';
import type { Config } from '../config/index.ts';
import type { Clock } from '../runtime/clock.ts';

const dayMs = 24 * 3600_000;
/** RFC 9116 2.5.5 recommends less than a year. */
const goodForMs = 182 * dayMs;

/** GET /.well-known/security.txt (RFC 9116), with the contact from the config. */
export function securityTxt(app: Pick<Hono, 'get'>, security: Config['security'], clock: Clock): void {
  app.get('/.well-known/security.txt', context => {
    if (!security) return context.text('no contact is named: set security.contact in the config of this box\n', 404);
    const { contact, expires, policy } = security;
    const until = expires ? Date.parse(expires) : Math.floor((clock.now() + goodForMs) / dayMs) * dayMs;
    const fields = [
      `Contact: ${contact}`,
      `Expires: ${new Date(until).toISOString()}`,
      ...(policy ? [`Policy: ${policy}`] : []),
      'Preferred-Languages: zh, en',
    ];
    return context.text(`${fields.join('\n')}\n`);
  });
}
