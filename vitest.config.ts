import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compileCache } from './test/support/build-once.ts';
import LongestFirst from './test/support/longest-first.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Takes minutes: run by `.ci/run` and by `npm run test:long`, left out by `npm test`. */
const long = 'test/**/*.long.test.ts';
const imageStory = 'test/system/image.long.test.ts';

const parts = {
  globalSetup: ['test/support/build-once.ts'],
  // Half of a command's time goes into compiling the program: it is compiled once for all of them.
  env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCache },
};

/** The whole program as boxes get it: the single executable in place of bin/gatehouse. */
const system = {
  globalSetup: ['test/support/build-binary-once.ts'],
  env: {
    GATEHOUSE_BINARY: process.env.GATEHOUSE_BINARY ?? fromRoot(`dist/.test-binary/gatehouse-linux-${process.arch}`),
    // As in gatehouse.service: what the tests find in memory is what a box has.
    MALLOC_ARENA_MAX: '2',
  },
};

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    reporters: process.env.CI ? ['default', './test/support/tally.ts'] : ['default'],
    sequence: { sequencer: LongestFirst },
    // For what hangs alone: how fast something is, is the bench's matter, and this machine may be a
    // busy one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: ['test/**/*.test.ts'], exclude: ['test/system/**', long], ...parts },
      },
      {
        extends: true,
        test: { name: 'system', include: ['test/system/**/*.test.ts'], exclude: [long], ...system },
      },
      {
        extends: true,
        test: { name: 'long-parts', include: [long], exclude: ['test/system/**'], ...parts },
      },
      {
        extends: true,
        test: { name: 'long-system', include: ['test/system/**/*.long.test.ts'], exclude: [imageStory], ...system },
      },
      {
        // The better part of an hour: by `npm run test:image`, before an image goes out.
        extends: true,
        test: { name: 'image', include: [imageStory] },
      },
    ],
  },
});
