import type { AnswerOf, PathOf } from '../../src/admin-client/calls.ts';
import type { Coded } from '../../src/words/sentences.ts';
import { Problem, signedOut } from './api.ts';
import { words } from './words/index.ts';

/** PUTs a file and reports the progress, 0 to 100, which `fetch` does not. Throws `Problem`. */
export function upload<Path extends PathOf<'put'>>(
  path: Path,
  file: File,
  onProgress: (percent: number) => void,
): Promise<AnswerOf<'put', Path>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `/admin/v1${path}`);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0);
    request.onerror = () => reject(new Problem(0, 'network', words.peek().problem.unanswered));
    request.onload = () => {
      if (request.status === 200) return resolve(request.response);
      if (request.status === 401) signedOut.value = true;
      const { title, detail, code, params } = (request.response ?? {}) as Coded & { title?: string; detail?: string };
      reject(
        new Problem(request.status, title ?? String(request.status), detail ?? request.statusText, 0, [], {
          code,
          params,
        }),
      );
    };
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
}
