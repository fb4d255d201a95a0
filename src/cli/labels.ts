import { labelsOf } from '../admin/index.ts';
import { explainRefusal } from '../platform/refusals.ts';
import { type LabelLanguage, labelLanguage, labelSheet, type SheetName } from '../provisioning/index.ts';
import { CommandFailed, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { openOut } from './out.ts';

/** `labels [DEVICE_ID …] [--product ID] [--sheet a4|50x30] [--lang zh-CN|en] [--out F]` */
export const labels: Run = async call => {
  const productId = textOption(call, 'product');
  if (productId !== undefined && call.arguments.length > 0)
    throw new WrongUsage('--product stands for all its devices: name a product or device ids, not both');
  await using box = await findBox(call);
  const asked: Parameters<typeof labelsOf>[0] = {
    naming: { report: () => box.get('/naming') },
    devices: { list: page => box.get('/devices', page) },
  };
  const found = await labelsOf(asked, {
    deviceIds: call.arguments,
    ...(productId === undefined ? {} : { productId }),
  });
  if (!found.ok) throw new CommandFailed(explainRefusal(found.refusal).reason);
  const language = (textOption(call, 'lang') ?? labelLanguage((await box.get('/naming')).locale)) as LabelLanguage;
  const sheet = (textOption(call, 'sheet') ?? 'a4') as SheetName;
  await using out = openOut(call, 0o644);
  for await (const piece of labelSheet(found.value, { sheet, language })) await out.write(piece);
  await out.done();
};
