import { afterAll, beforeAll } from 'vitest';
import { suiteWithBrowser } from '../support/browser.ts';
import { everyPageCases, type LookedAt, lookedAt } from './every-page.cases.ts';

suiteWithBrowser('every page in more looks', () => {
  let site: LookedAt;
  beforeAll(async () => {
    site = await lookedAt();
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  everyPageCases(
    [
      { name: 'English, dark, 768 px', width: 768, dark: true },
      { name: 'Chinese, light, 1280 px', width: 1280, locale: 'zh-CN' },
    ],
    () => site,
  );
});
