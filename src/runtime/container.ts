import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the container image (`scripts/build-oci.ts`), which nothing else has. */
const mark = 'usr/lib/gatehouse/container';

/** Whether the program runs in a container of its own image. `root` is for tests. */
export const isInContainer = (root = '/'): boolean => existsSync(join(root, mark));

/** Whether a folder is the container's own, with which its engine deletes it. */
export const isOfContainer = (folder: string, root = '/'): boolean =>
  isInContainer(root) && statSync(folder).dev === statSync(root).dev;
