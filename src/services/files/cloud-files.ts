import { CloudRefused } from '../../platform/cloud-refused.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RememberedStore } from '../../store/index.ts';
import type { CloudServices } from '../cloud.ts';
import { notReached, ServiceRefused } from '../refusal.ts';

/** Where what the cloud said of a file stands in the store, by its id. */
const service = 'cloud file';
const askMs = 8000;

interface CloudFile {
  readonly file_id: string;
  readonly public_url?: string;
  readonly due_time?: string;
}

/**
 * Files that the cloud has and the box does not know (SPEC 4.7). All apps of the site are the box's
 * app there. What it says is kept for a week after it was last asked, and returned while the line
 * is cut.
 */
export class CloudFiles {
  readonly #options: { readonly store: RememberedStore; readonly cloud: CloudServices; readonly clock: Clock };

  constructor(options: { readonly store: RememberedStore; readonly cloud: CloudServices; readonly clock: Clock }) {
    this.#options = options;
  }

  /** Throws ServiceRefused: 404 where the cloud has none, 503 where it cannot be asked. */
  async find(fileId: string): Promise<object> {
    const { store, cloud, clock } = this.#options;
    if (!/^[\w.-]{1,128}$/.test(fileId)) throw none(fileId);
    try {
      const data = (await cloud.call(`/api/v1.0.0/file/${encodeURIComponent(fileId)}`, {
        signal: AbortSignal.timeout(askMs),
      })) as { public_url?: unknown; due_time?: unknown } | null;
      const file: CloudFile = {
        file_id: fileId,
        ...(typeof data?.public_url === 'string' ? { public_url: data.public_url } : {}),
        ...(typeof data?.due_time === 'string' ? { due_time: data.due_time } : {}),
      };
      await store.write.remember({ service, key: fileId, value: JSON.stringify(file), at: clock.now() });
      return file;
    } catch (error) {
      if (error instanceof CloudRefused && error.isFinal) throw none(fileId);
      const kept = await store.read.remembered(service, fileId);
      if (!kept) throw notReached(`file_id "${fileId}"`);
      const file = JSON.parse(kept.value) as CloudFile;
      if (file.due_time !== undefined && Number(file.due_time) <= clock.now()) throw none(fileId);
      return file;
    }
  }
}

const none = (fileId: string): ServiceRefused =>
  new ServiceRefused(404, `file_id "${fileId.slice(0, 64)}": no such file`);
