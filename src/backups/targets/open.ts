import type { Clock } from '../../runtime/clock.ts';
import type { BackupSettings, SftpSettings, TargetName } from '../settings.ts';
import { AboveTarget, type LineAbove } from './above.ts';
import { DirectoryTarget } from './directory.ts';
import { type SftpKeys, SftpTarget } from './sftp.ts';
import type { Target } from './target.ts';

interface TargetRoom {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Line to the box above; null if no Gatehouse stands above. */
  readonly above: LineAbove | null;
  readonly sftpKeys: (settings: SftpSettings) => Promise<SftpKeys>;
}

/** The target of that name by the settings, which have it. */
export function targetOf(name: TargetName, settings: BackupSettings, room: TargetRoom): Target {
  switch (name) {
    case 'directory':
      return new DirectoryTarget(settings.directory!.path, room.dataDir);
    case 'stick':
    case 'smb':
      return new DirectoryTarget(settings[name]!.path, room.dataDir, true);
    case 'above':
      return new AboveTarget(room.above);
    case 'sftp':
      return new SftpTarget(settings.sftp!, () => room.sftpKeys(settings.sftp!), room);
  }
}
