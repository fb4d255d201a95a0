import type { BoxClient } from '../admin-client/index.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/** Refuses a `--box` that is not listed: no records of it would look like a quiet site. */
export async function refuseUnknownBox(call: Call, box: BoxClient): Promise<void> {
  const asked = textOption(call, 'box');
  if (asked === undefined || asked === 'here') return;
  const { boxes = [] } = await box.get('/site');
  if (!boxes.some(one => one.box_id === asked.toUpperCase()))
    throw new CommandFailed(`--box "${asked}": no such box below: \`gatehouse fleet\` lists them`);
}
