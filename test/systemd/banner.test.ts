import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasTool, suiteWhere } from '../support/tools.ts';

const unit = readFileSync(
  fileURLToPath(new URL('../../firmware-images/common/etc/systemd/system/gatehouse-banner.service', import.meta.url)),
  'utf8',
);
const [, script] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit)!;
const [, capabilities] = /^CapabilityBoundingSet=(.*)$/m.exec(unit)!;
const service = 65_534;

/** The command of gatehouse-banner.service with its capabilities, in a folder that stands for /run. */
class Run implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-banner-'));
  readonly issue = join(this.folder, 'gatehouse/issue');
  readonly copy = join(this.folder, 'gatehouse-issue');

  constructor() {
    chmodSync(this.folder, 0o755);
    mkdirSync(join(this.folder, 'gatehouse'), { mode: 0o750 });
    chownSync(join(this.folder, 'gatehouse'), service, service);
  }

  show(): number | null {
    const here = script!
      .replaceAll('/run/', `${this.folder}/`)
      .replace('--reuid=gatehouse --regid=gatehouse', `--reuid=${service} --regid=${service}`)
      .replace(/exec \S*agetty --reload/, 'exec true');
    const held = capabilities!.split(' ').map(name => `+${name.replace('CAP_', '').toLowerCase()}`);
    const bounded = [`--bounding-set=-all,${held.join()}`, '--inh-caps=-all', '--no-new-privs'];
    return spawnSync('setpriv', [...bounded, 'sh', '-c', `umask 077; ${here}`], { encoding: 'utf8' }).status;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

suiteWhere(
  hasTool('setpriv') && process.geteuid?.() === 0,
  'needs setpriv, as root',
  'the banner on the console',
  () => {
    test('is a copy of what the service wrote, and belongs to root', () => {
      using run = new Run();
      writeFileSync(run.issue, 'Gatehouse\n', { mode: 0o600 });
      chownSync(run.issue, service, service);
      expect(run.show()).toBe(0);
      expect(readFileSync(run.copy, 'utf8')).toBe('Gatehouse\n');
      expect([statSync(run.copy).uid, statSync(run.copy).mode & 0o777]).toEqual([0, 0o600]);
    });

    test('is no file of root that a link of the service leads to, and no more than 8 KiB', () => {
      using run = new Run();
      const secret = join(run.folder, 'shadow');
      writeFileSync(secret, 'root:secret', { mode: 0o600 });
      symlinkSync(secret, run.issue);
      lchownSync(run.issue, service, service);
      expect(run.show()).not.toBe(0);
      expect(existsSync(run.copy)).toBe(false);
      rmSync(run.issue);
      symlinkSync('/dev/zero', run.issue);
      expect(run.show()).toBe(0);
      expect(statSync(run.copy).size).toBe(8192);
    });

    test('a pipe in its place is given up', () => {
      expect(unit).toMatch(/^TimeoutStartSec=\d+$/m);
    });
  },
);
