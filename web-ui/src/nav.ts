import { computed } from '@preact/signals';
import { navigation, type PageName } from './navigation.ts';
import { language, words } from './words/index.ts';

/** Names of the pages in the navigation. */
export const nav = computed(() => {
  const names = navigation.map(({ name, called }) => [name, called[language.value]]);
  return { ...(Object.fromEntries(names) as Record<PageName, string>), more: words.value.more };
});
