import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileCache, threadsFolder } from './test/support/build-once.ts';
import LongestFirst from './test/support/longest-first.ts';
import { memoryFolder } from './test/support/memory-folder.ts';
import { filesThatStartProcesses } from './test/support/starts-processes.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Patterns of the table "What runs when" of CONTRIBUTING.md. */
const system = 'test/system/**';
const long = 'test/**/*.long.test.ts';
const nightly = 'test/**/*.nightly.test.ts';
const imageStory = 'test/system/image.nightly.test.ts';
const processes = filesThatStartProcesses(fromRoot('.'));

/** No test asks the services of this machine: one that needs a bus starts its own. */
const noBus = { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent/bus' };

const sources = {
  globalSetup: ['test/support/build-once.ts'],
  env: {
    // Half of a command's time goes into compiling the program: it is compiled once for all of them.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache,
    GATEHOUSE_THREADS: threadsFolder,
    ...noBus,
  },
};

/** The whole program as boxes get it: the single executable in place of bin/gatehouse. */
const binary = {
  globalSetup: ['test/support/build-binary-once.ts'],
  env: {
    GATEHOUSE_BINARY: process.env.GATEHOUSE_BINARY ?? fromRoot(`dist/.test-binary/gatehouse-linux-${process.arch}`),
    // As in gatehouse.service: what the tests find in memory is what a box has.
    MALLOC_ARENA_MAX: '2',
    ...noBus,
  },
};

/** For what hangs alone: a machine may be five times as slow as ours. */
const timeouts = { testTimeout: 900_000, hookTimeout: 900_000 };

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than there are processors, since tests also wait.
    maxWorkers: 3,
    reporters: ['default', './test/support/budget.ts', ...(process.env.CI ? ['./test/support/tally.ts'] : [])],
    setupFiles: ['test/support/spent.ts'],
    sequence: { sequencer: LongestFirst },
    // How fast something is, is the bench's matter, and this machine may be a busy one.
    ...timeouts,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...processes, system, long, nightly],
          ...sources,
          env: { ...sources.env, ...memoryFolder() },
          // The files of a worker share the modules of `src/`, which hold no state.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: processes,
          exclude: [system, long, nightly],
          ...sources,
          env: { ...sources.env, ...memoryFolder() },
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'system', include: [`${system}/*.test.ts`], exclude: [long, nightly], ...binary },
      },
      {
        extends: true,
        test: { name: 'long-parts', include: [long], exclude: [system], ...sources },
      },
      {
        extends: true,
        test: { name: 'long-system', include: ['test/system/**/*.long.test.ts'], ...binary },
      },
      {
        extends: true,
        test: { name: 'nightly-parts', include: [nightly], exclude: [system], ...sources },
      },
      {
        extends: true,
        test: {
          name: 'nightly-system',
          include: ['test/system/**/*.nightly.test.ts'],
          exclude: [imageStory],
          ...binary,
        },
      },
      {
        // The better part of an hour: by `npm run test:image`, before an image goes out.
        extends: true,
        test: { name: 'image', include: [imageStory] },
      },
    ],
  },
});
