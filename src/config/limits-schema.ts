import { z } from 'zod';
import { limits } from '../platform/limits.ts';
import { serviceLimits } from '../platform/services.ts';
import { documented, whole } from './kinds.ts';

const manyPerSecond = 1_000_000_000;

const bound = (byDefault: number, min: number, max: number, description: string, unit = '') =>
  documented(whole(min, max, unit).default(byDefault), description);

export const limitKeys = z.strictObject({
  log_per_second: bound(
    limits.logsPerSecondMax,
    1,
    manyPerSecond,
    'Logs of one device in any 1000 ms; more are dropped and counted',
  ),
  log_per_day: bound(
    limits.logsPerDayMax,
    1,
    1e12,
    'Logs of one device in a day of the site; more are dropped and counted',
  ),
  log_bytes: bound(limits.logBytesMax, 64, 1 << 20, 'Bytes of one log record; the rest is cut off', 'bytes'),
  message_bytes: bound(
    limits.messageBytesMax,
    1024,
    64 << 20,
    'Bytes of one message, over MQTT or HTTP; bytes of one HTTP log request',
    'bytes',
  ),
  file_bytes: bound(serviceLimits.fileBytesMax, 1024, 2 ** 40, 'Bytes of one uploaded file', 'bytes'),
  attendance_calls_per_second: bound(50, 1, 1_000_000, 'Calls of one caller of the attendance API in any 1000 ms'),
  inbox_messages: bound(
    limits.inboxMessagesMax,
    1,
    1_000_000,
    'Messages that wait for one device; the oldest are dropped first',
  ),
  box_backup_copies: bound(
    5,
    0,
    400,
    'How many backups of each box below are kept here; the oldest are deleted. 0: none are taken',
  ),
  box_backup_bytes: bound(
    500_000_000,
    1_000_000,
    2 ** 40,
    'Bytes that the backups of one box below have together; the oldest are deleted',
    'bytes',
  ),
});

export const admission = z.strictObject({
  new_devices_per_hour: bound(
    limits.newDevicesPerHour,
    1,
    1_000_000,
    'How many unknown devices of one product are admitted with only the product key in any hour; more are refused and shown, and staff can admit them for an hour. Devices of the site file do not count',
  ),
});
