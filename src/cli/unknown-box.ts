import type { BoxAdmin } from '../admin/index.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

/** Refuses a `--box` that is not listed: no records of it would look like a quiet site. */
export async function refuseUnknownBox(call: Call, box: BoxAdmin): Promise<void> {
  const asked = textOption(call, 'box');
  if (asked === undefined || asked === 'here') return;
  const { boxes = [] } = await box.site({ withSecrets: false });
  if (!boxes.some(one => one.box_id === asked.toUpperCase()))
    throw new CommandFailed(`--box "${asked}": no such box below: \`gatehouse fleet\` lists them`);
}
