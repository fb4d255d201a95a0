import manifest from '../../package.json' with { type: 'json' };
import { flag, type Run } from './command.ts';

export const programVersion: string = manifest.version;

export const version: Run = async call => {
  if (flag(call, 'licences')) {
    await call.print(`gatehouse ${programVersion}: Apache-2.0\n`);
    return;
  }
  await call.print(
    `gatehouse ${programVersion} (node ${process.versions.node}, ${process.platform}-${process.arch})\n`,
  );
};
