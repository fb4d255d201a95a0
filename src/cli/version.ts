import { licences } from '../platform/licences.ts';
import { programVersion } from '../platform/version.ts';
import { flag, type Run } from './command.ts';

export const version: Run = async call => {
  const node = process.versions.node;
  const target = `${process.platform}-${process.arch}`;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ version: programVersion, node, target })}\n`);
  await call.print(`gatehouse ${programVersion} (node ${node}, ${target})\n`);
  if (flag(call, 'licences'))
    await call.print(`\n${licences.map(one => `${one.name.padEnd(24)} ${one.licence}\n`).join('')}`);
};
