import type { Clock, Random } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { nextTry } from '../../platform/retry.ts';
import type { Store, StoredFile } from '../../store/index.ts';
import { CloudSaysNo, type CloudServices } from '../cloud.ts';
import type { Files } from './files.ts';

/** Takes files to the cloud in the background, one at a time, the oldest first. A file waits in the store until the cloud has it: after a crash it is sent from its beginning. */
export class FileUploader implements AsyncDisposable {
  readonly #options: { store: Store; files: Files; cloud: CloudServices; clock: Clock; random: Random; log: Log };
  readonly #closing = new AbortController();
  #wake = Promise.withResolvers<void>();
  #isDown = false;
  readonly #ended: Promise<void>;

  constructor(options: { store: Store; files: Files; cloud: CloudServices; clock: Clock; random: Random; log: Log }) {
    this.#options = options;
    this.#ended = this.#run();
  }

  poke(): void {
    if (!this.#isDown) this.#wake.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { store, clock, random, log } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      let waitMs = 60_000;
      try {
        for (
          let file = await store.read.nextWaitingFile();
          file && !signal.aborted;
          file = await store.read.nextWaitingFile()
        )
          await this.#upload(file, signal);
        this.#isDown = false;
      } catch (error) {
        if (signal.aborted) return;
        this.#isDown = true;
        waitMs = nextTry(random);
        log.debug({ error: String(error) }, 'a file could not be uploaded to the cloud');
      }
      const over = new AbortController();
      await Promise.race([
        clock.sleep(waitMs, AbortSignal.any([signal, over.signal])).catch(() => {}),
        this.#wake.promise,
      ]);
      over.abort();
    }
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
    const stream = files.read(fileId, null);
    try {
      const data = (await cloud.call(`/api/v1.0.0/file?${query}`, { file: { stream, bytes: file.bytes }, signal })) as {
        file_id?: unknown;
      };
      if (typeof data?.file_id !== 'string') throw new Error('the cloud answers a file without file_id');
      await store.write.settleFile({ fileId, cloudFileId: data.file_id, refusal: null });
    } catch (error) {
      if (!(error instanceof CloudSaysNo && error.isFinal)) throw error;
      log.warn({ file_id: fileId, code: error.code, reason: error.message }, 'the cloud refused a file');
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
