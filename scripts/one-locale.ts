import type { Plugin } from 'esbuild';

/**
 * Of zod's messages in fifty languages the program says none: a refusal names what it names in words of its own, and in English what it leaves to zod. They would be a
 * tenth of the program, read at each start and kept in memory.
 */
export const oneLocale: Plugin = {
  name: 'one-locale',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, async ({ importer, resolveDir }) => {
      if (!/\/zod\/v4\//.test(importer)) return undefined;
      return { path: `${resolveDir}/../locales/en.js`, sideEffects: false };
    });
  },
};
