import { z } from 'zod';
import { eventKinds } from '../platform/event-topics.ts';
import { documented, oneOf, pattern, url } from './kinds.ts';

/** A webhook of the config, or of the page, whose secret the box makes. */
export const webhook = z.strictObject({
  name: pattern(/^[\w-]+$/, 'a name: letters, digits, hyphens and underscores', 64),
  url: url('https', 'http'),
  secret: pattern(/^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/, 'a secret: whsec_ and 24 to 64 bytes as base64'),
  kinds: z.array(oneOf([...eventKinds])).min(1),
});

/** The config key `events`: what the box tells programs of the site beside `listen.events`. */
export const events = z.strictObject({
  home_assistant: documented(
    oneOf(['on', 'off']).default('off'),
    'on: devices and the box describe themselves to Home Assistant (MQTT discovery) on the broker of listen.events',
  ),
  webhooks: documented(
    z
      .array(webhook)
      .max(10)
      .refine(all => new Set(all.map(({ name }) => name)).size === all.length, {
        error: 'two webhooks have one name: how far each has come is kept by its name',
      })
      .default([]),
    'Events by HTTP, as Standard Webhooks 1.0.0 has it, also with listen.events off. Each has name, url, secret (whsec_…) and kinds: checkins, access, logs',
    { secret: true, kind: 'list of webhooks' },
  ),
});
