import type { ReceiptReport } from '../admin/index.ts';
import { clockText } from '../platform/clock-text.ts';
import { flag, type Run, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { moment, span } from './wording.ts';

/** `receipt SEQ`. */
export const receipt: Run = async call => {
  const text = call.arguments[0]!;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new WrongUsage(`"${text}": write the seq of \`gatehouse status --device ID\``);
  await using box = await findBox(call);
  const report = await box.get('/receipts', { seq: Number(text) });
  await call.print(
    flag(call, 'json') ? `${JSON.stringify(report, null, 2)}\n` : receiptInWords(report, await zoneOf(box)),
  );
};

/** Four lines: each step with its time and state. Nothing is said that the store does not know. */
export function receiptInWords(report: ReceiptReport, timeZone: string): string {
  const { device_id, device, mid, seq } = report;
  const message = mid === null ? '' : `, message ${mid || 'without mid'}`;
  return [
    `${device_id}${device === '' ? '' : ` "${device}"`}, record ${seq}${message}`,
    `at the device   ${deviceInWords(report, timeZone)}`,
    `on the disk     ${diskInWords(report, timeZone)}`,
    `acknowledged    ${acknowledgedInWords(report)}`,
    `at the cloud    ${cloudInWords(report, timeZone)}`,
    '',
  ].join('\n');
}

function deviceInWords({ at_device }: ReceiptReport, timeZone: string): string {
  if (at_device === null) return 'no device of this site reported it';
  const { time, clock, late_s } = at_device;
  const said = clockText('en', { state: clock.state, offset: clock.offset_s, within: clock.within_s });
  const late = late_s === null ? '' : `; arrived ${span(late_s * 1000)} late`;
  return `${time === null ? 'its message names no time' : moment(time * 1000, timeZone)} by its own clock (${said})${late}`;
}

function diskInWords({ on_disk, seq }: ReceiptReport, timeZone: string): string {
  if (on_disk === null) return 'not reported to this box';
  const removed = on_disk.in_journal ? '' : '; the journal removed it after the cloud had it, the tables keep it';
  const clamped = on_disk.clamped ? ' (by a clock that was wrong: the true time is not known)' : '';
  return `received ${moment(on_disk.received_at, timeZone)}${clamped}, committed and synced as number ${seq}${removed}`;
}

function acknowledgedInWords({ acknowledged, box_below }: ReceiptReport): string {
  if (acknowledged === 'not here') return 'not by this box';
  if (acknowledged === 'by the box below')
    return `to the device by ${box_below}, to ${box_below} after the commit here`;
  return 'after the commit, never before; the moment is not kept';
}

function cloudInWords({ at_cloud }: ReceiptReport, timeZone: string): string {
  const { state, confirmed_at, via, code, reason, refused_at, is_sent_again, cloud_id } = at_cloud;
  const listed = cloud_id === null ? '' : `; in its list as ${cloud_id}`;
  switch (state) {
    case 'confirmed':
      return `${confirmed_at === null ? 'confirmed; the moment is no longer kept' : `confirmed ${moment(confirmed_at, timeZone)} over ${via}`}${listed}`;
    case 'parked':
      return `refused ${moment(refused_at!, timeZone)} with ${code}: ${reason}${is_sent_again ? '; it will be sent again' : ''}`;
    case 'waiting':
      return 'waits here';
    case 'kept here':
      return `stays here: ${reason}`;
    case 'listed by the cloud':
      return `the cloud lists it${cloud_id === null ? '' : ` as ${cloud_id}`}`;
    default:
      return state satisfies never;
  }
}
