import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenPackage } from '../../../src/services/upgrades/package-mirror.ts';

/** A real server of one package that can do what servers do wrong. */
export class PackageServer implements AsyncDisposable {
  bytes: Buffer;
  /** The connection is destroyed after so many bytes of the package. */
  cutAt: number | null = null;
  /** After so many bytes nothing more comes. */
  stallAt: number | null = null;
  ranges = true;
  announces: 'length' | 'nothing' = 'length';
  status: number | null = null;
  readonly asked: string[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  static async of(bytes: Buffer): Promise<PackageServer> {
    const server = new PackageServer(bytes);
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/panel.apk`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { range } = request.headers;
    this.asked.push(range ?? 'all');
    if (this.status) {
      response.writeHead(this.status).end('no');
      return;
    }
    const total = this.bytes.length;
    const start = range && this.ranges ? Number(/^bytes=(\d+)-$/.exec(range)![1]) : 0;
    if (start >= total && start > 0) {
      response.writeHead(416, { 'content-range': `bytes */${total}` }).end();
      return;
    }
    const length = this.announces === 'length' ? { 'content-length': total - start } : {};
    const partial = start > 0 ? { 'content-range': `bytes ${start}-${total - 1}/${total}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { ...length, ...partial });
    const end = Math.min(this.cutAt ?? total, this.stallAt ?? total, total);
    response.write(this.bytes.subarray(start, Math.max(start, end)), () => {
      if (this.cutAt !== null) response.destroy();
      else if (this.stallAt === null) response.end();
    });
  }
}

/** What the box hands in, over Node's own client. */
export const openOverHttp: OpenPackage = (url, { offset }, signal) =>
  new Promise((resolve, reject) => {
    const headers = offset > 0 ? { range: `bytes=${offset}-` } : {};
    request(url, { headers, signal, agent: false }, response => {
      const { 'content-range': range, 'content-length': length } = response.headers;
      const total = range ? Number(range.split('/')[1]) : length === undefined ? null : Number(length);
      resolve({ status: response.statusCode!, stream: response, bytesTotal: total });
    })
      .on('error', reject)
      .end();
  });
