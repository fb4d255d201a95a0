import { expect, test } from 'vitest';
import { standingPage, standingPages } from '../../scripts/standing-pages.ts';

const words = {
  'oauth-sign-in': { en: 'Canteen', zh: '食堂' },
  'oauth-consent': { en: 'canteen.plant4.example', zh: '李梅' },
  hotspot: { en: 'Plant 4 guests', zh: '四号厂房-访客' },
} as const;

test.each(standingPages)(
  '%s is a document of its own in both languages, which needs nothing from elsewhere',
  async name => {
    for (const language of ['en', 'zh'] as const) {
      const html = await standingPage(name, language);
      expect(html).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`);
      expect(html).toContain(words[name][language]);
      expect(html).not.toMatch(/\b(?:src|href)="https?:/);
    }
  },
);
