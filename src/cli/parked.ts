import { CommandFailed, flag, type Run, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { zoneOf } from './site-zone.ts';
import { counted, moment, table } from './wording.ts';

/** `parked list`: what the cloud refused for good, with the reasons. */
export const parkedList: Run = async call => {
  await using box = await findBox(call);
  const { parked } = await box.get('/parked');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(parked, null, 2)}\n`);
  if (parked.length === 0) return call.print('nothing is parked: the cloud has refused nothing for good\n');
  const timeZone = await zoneOf(box);
  const rows = parked.map(({ seq, device_id, parked_at, code, reason, send_again }) => [
    String(seq),
    device_id,
    moment(parked_at, timeZone),
    String(code),
    send_again ? `${reason} (is sent again)` : reason,
  ]);
  await call.print(table(['seq', 'device', 'parked', 'code', 'reason'], rows));
};

/** `parked send-again SEQ|all` */
export const parkedSendAgain: Run = async call => {
  const which = call.arguments[0]!;
  if (which !== 'all' && !/^[1-9]\d{0,14}$/.test(which))
    throw new WrongUsage(`"${which}": write the seq of \`gatehouse parked list\`, or all`);
  await using box = await findBox(call);
  const { count } = await box.post('/parked/send-again', { seq: which === 'all' ? null : Number(which) });
  if (count === 0 && which !== 'all')
    throw new CommandFailed(`${which}: no parked record has this seq: see \`gatehouse parked list\``);
  await call.print(
    flag(call, 'json')
      ? `${JSON.stringify({ count })}\n`
      : count === 0
        ? 'nothing is parked\n'
        : `${counted(count, 'record')} will be sent again\n`,
  );
};
