import { z } from 'zod';
import { documented, oneOf } from './kinds.ts';

/** The config key `events`: what the box tells programs of the site beside `listen.events`. */
export const events = z.strictObject({
  home_assistant: documented(
    oneOf(['on', 'off']).default('off'),
    'on: devices and the box describe themselves to Home Assistant (MQTT discovery) on the broker of listen.events',
  ),
});
