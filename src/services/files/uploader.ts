import { CloudRefused } from '../../platform/cloud-refused.ts';
import { BackgroundJob } from '../../runtime/background-job.ts';
import type { Clock, Random } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nextTry } from '../../runtime/retry.ts';
import type { FileStore, StoredFile } from '../../store/index.ts';
import type { CloudServices } from '../cloud.ts';
import type { Files } from './files.ts';

interface UploaderOptions {
  readonly store: FileStore;
  readonly files: Files;
  readonly cloud: CloudServices;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Takes files to the cloud in the background, one at a time, the oldest first. A file waits in the
 * store until the cloud has it: after a crash it is sent from its beginning.
 */
export class FileUploader implements AsyncDisposable {
  readonly #options: UploaderOptions;
  readonly #job: BackgroundJob;

  constructor(options: UploaderOptions) {
    this.#options = options;
    this.#job = new BackgroundJob({
      clock: options.clock,
      retryMs: () => nextTry(options.random),
      everyMs: 60_000,
      run: signal => this.#uploadAll(signal),
      onFailed: error => options.log.debug({ error: String(error) }, 'file_not_uploaded'),
    });
  }

  /** A file waits. */
  poke(): void {
    this.#job.poke();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#job[Symbol.asyncDispose]();
  }

  async #uploadAll(signal: AbortSignal): Promise<void> {
    const { read } = this.#options.store;
    for (let file = await read.nextWaitingFile(); file && !signal.aborted; file = await read.nextWaitingFile())
      await this.#upload(file, signal);
  }

  async #upload(file: StoredFile, signal: AbortSignal): Promise<void> {
    const { store, files, cloud, clock, log } = this.#options;
    const { fileId } = file;
    const query = new URLSearchParams({
      client: file.client,
      name: file.name || fileId,
      public: String(file.isPublic),
      https: String(file.overHttps),
    });
    if (file.dueAt !== null) {
      const left = file.dueAt - clock.now();
      if (left <= 0)
        return store.write.settleFile({ fileId, cloudFileId: null, refusal: 'it ran out before the line was up' });
      query.set('expire', String(left));
    }
    const stream = files.stream(fileId);
    try {
      const data = (await cloud.call(`/api/v1.0.0/file?${query}`, { file: { stream, bytes: file.bytes }, signal })) as {
        file_id?: unknown;
      };
      if (typeof data?.file_id !== 'string') throw new Error('the cloud answered an upload without a file_id');
      await store.write.settleFile({ fileId, cloudFileId: data.file_id, refusal: null });
    } catch (error) {
      if (!(error instanceof CloudRefused && error.isFinal)) throw error;
      log.warn({ file_id: fileId, error_code: error.code, reason: error.message }, 'cloud_refused_file');
      await store.write.settleFile({
        fileId,
        cloudFileId: null,
        refusal: `the cloud answered ${error.code}: ${error.message}`,
      });
    } finally {
      stream.destroy();
    }
  }
}
