import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificates } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { type SimCloud, type SimCloudOptions, startSimCloud } from '../../tools/sim/index.ts';
import { seededRandom } from './clock.ts';
import { productKey } from './site.ts';

export interface TestCloud extends AsyncDisposable {
  readonly cloud: SimCloud;
  /** What a box needs to trust it (`upstream.ca`). */
  readonly caFile: string;
}

/** The simulated cloud over TLS, which knows the product of `aSite()`. */
export async function aCloud(options: Partial<SimCloudOptions> = {}): Promise<TestCloud> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cloud-'));
  const certificates = await openCertificates({
    dir: folder,
    names: ['localhost'],
    addresses: ['127.0.0.1'],
    clock: realClock,
    log: silentLog,
  });
  const cloud = await startSimCloud({
    clock: realClock,
    random: seededRandom(7),
    products: [
      { product_id: 'FACE-T1', product_key: productKey, model: 'FT1' },
      { product_id: 'GATEHOUSE', product_key: 'key-of-the-box' },
    ],
    tls: certificates.current(),
    ...options,
  });
  return {
    cloud,
    caFile: join(folder, 'ca.pem'),
    async [Symbol.asyncDispose]() {
      await cloud[Symbol.asyncDispose]();
      await certificates[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The config section that leads a box to this cloud. */
export const upstreamTo = ({ cloud, caFile }: TestCloud, change: Record<string, unknown> = {}) => ({
  mode: 'per-device',
  device_mqtt: cloud.urls.deviceMqtt,
  device_http: cloud.urls.deviceHttp,
  ca: `file:${caFile}`,
  ...change,
});

export const trustOf = async (folder: string): Promise<string> => readFile(join(folder, 'tls', 'ca.pem'), 'utf8');
