import type { BackupSettings, TargetName } from '../settings.ts';
import { DirectoryTarget } from './directory.ts';
import type { Target } from './target.ts';

/** The target of that name by the settings, which have it. */
export function targetOf(name: TargetName, settings: BackupSettings, dataDir: string): Target {
  switch (name) {
    case 'directory':
      return new DirectoryTarget(settings.directory!.path, dataDir);
  }
}
