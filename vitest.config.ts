import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';

const binary = fileURLToPath(new URL(`dist/.test-binary/gatehouse-linux-${process.arch}`, import.meta.url));

const imageStory = 'test/system/image.test.ts';

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
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**'],
          globalSetup: ['test/support/build-once.ts'],
        },
      },
      {
        // The whole program is tried as what boxes get: the single executable, in the place of
        // bin/gatehouse.
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          exclude: [imageStory],
          globalSetup: ['test/support/build-binary-once.ts'],
          env: { GATEHOUSE_BINARY: process.env.GATEHOUSE_BINARY ?? binary },
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
