import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../support/fake-clock.ts';
import { ThrowAwayCheckout } from '../support/throw-away-checkout.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/** `npm run release`, twice, without images: some four minutes each on an idle machine. */
const timeoutMs = 3 * 60 * 60_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = ['openssl', 'rauc', 'mksquashfs', 'dpkg-deb', 'qemu-aarch64-static'];
const possible = FakeClock.possible && tools.every(hasTool) && process.arch === 'x64';
const needed =
  'apt-get install openssl rauc squashfs-tools dpkg qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross';

interface Place {
  readonly checkout: ThrowAwayCheckout;
  /** For temporary files. */
  readonly scratch: string;
}

suiteWhere(possible, `${FakeClock.otherwise}; on x86_64, ${needed}`, 'a release', () => {
  test(
    'is the same bytes on another day, in another folder, zone and language, and with another mask',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-releases-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const keys = join(folder, 'keys');
      execFileSync(join(root, 'bin/node'), [join(root, 'scripts/update-keys.ts'), keys]);
      await using tomorrow = await FakeClock.make();
      tomorrow.set(Date.now() + 86_400_000);

      // Both at once: the tree may be edited while releases are made.
      const [here, there] = ['first', 'another/folder'].map(below => {
        mkdirSync(join(folder, below, 'tmp'), { recursive: true });
        const checkout = new ThrowAwayCheckout(join(folder, below));
        checkout.tag(`v${checkout.version}`);
        return { checkout, scratch: join(folder, below, 'tmp') };
      });

      const release = ({ checkout, scratch }: Place, environment: NodeJS.ProcessEnv, mask: string): string => {
        const { status, stderr } = spawnSync(
          'sh',
          ['-c', `umask ${mask}; exec bin/node scripts/release.ts --without-images --keys "$0"`, keys],
          {
            ...{ cwd: checkout.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
            env: { ...process.env, TMPDIR: scratch, ...environment },
          },
        );
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        expect(readdirSync(scratch)).toEqual([]);
        return join(checkout.folder, 'dist/release', checkout.version);
      };
      const elsewhere = {
        TZ: 'Pacific/Auckland',
        LC_ALL: 'zh_CN.UTF-8',
        SOURCE_DATE_EPOCH: '1',
        NODE_ENV: 'production',
      };
      const first = release(here!, {}, '022');
      const second = release(there!, { ...elsewhere, ...tomorrow.env, FAKETIME_NO_CACHE: '0' }, '077');

      const lines = (made: string) => readFileSync(join(made, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
      const names = lines(first).map(line => line.slice(66));
      const version = first.split('/').at(-1);
      const expected = [
        ...['gatehouse-linux-arm64', 'gatehouse-linux-x64', 'gatehouse.cdx.json', 'THIRD-PARTY-LICENCES.txt'],
        ...[`gatehouse-${version}.oci.tar`, `gatehouse-${version}.oci.cdx.json`],
        ...['amd64', 'arm64'].flatMap(arch => [
          `gatehouse_${version}_${arch}.deb`,
          `gatehouse_${version}_${arch}.deb.cdx.json`,
        ]),
        ...['arm64', 'x64'].map(arch => `gatehouse-program-${version}-${arch}.raucb`),
      ];
      expect(names).toEqual(expected.sort());
      expect(readdirSync(first).sort()).toEqual([...names, 'SHA256SUMS', 'SHA256SUMS.sig', 'keyring.pem'].sort());
      expect(lines(second)).toEqual(lines(first));

      for (const made of [first, second]) {
        const openssl = [
          'cms',
          '-verify',
          '-binary',
          '-inform',
          'DER',
          '-in',
          'SHA256SUMS.sig',
          '-content',
          'SHA256SUMS',
        ];
        execFileSync('openssl', [...openssl, '-CAfile', join(keys, 'keyring.pem'), '-no_check_time'], {
          cwd: made,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: made });
      }
      const said = execFileSync(join(first, 'gatehouse-linux-x64'), ['version', '--json'], { encoding: 'utf8' });
      const listed = lines(first).find(line => line.endsWith('  gatehouse-linux-x64'))!;
      expect(JSON.parse(said)).toMatchObject({
        ...{ version, commit: expect.stringMatching(/^[0-9a-f]{12}$/), sha256: listed.slice(0, 64) },
        committed_at: Date.UTC(2026, 10, 29, 12),
      });
    },
    timeoutMs,
  );
});
