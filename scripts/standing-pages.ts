import { consentPage, loginPage } from '../src/accounts/oauth/pages.ts';
import { setupPage } from '../src/provisioning/hotspot/page.ts';
import { hotspotWords } from '../src/provisioning/hotspot/words.ts';

/** The pages without a program in them: each is a document that a browser shows as it stands. */
export const standingPages = ['oauth-sign-in', 'oauth-consent', 'hotspot'] as const;

/** With what a person would see at a plant: another program signs in, a phone sets up a box. */
export async function standingPage(name: (typeof standingPages)[number], language: 'en' | 'zh'): Promise<string> {
  const chinese = language === 'zh';
  const spoken = chinese ? 'zh-CN' : 'en';
  const form = { mark: 'mark', goOn: '/oauth/authorize' };
  const clientName = chinese ? '食堂' : 'Canteen';
  switch (name) {
    case 'oauth-sign-in':
      return loginPage(spoken, { ...form, clientName, name: '', problem: '', hasCloud: true });
    case 'oauth-consent':
      return consentPage(spoken, {
        ...{ ...form, clientName, logoUrl: '' },
        ...{ goesTo: 'canteen.plant4.example', userName: chinese ? '李梅' : 'Li Mei' },
      });
    case 'hotspot':
      return setupPage(hotspotWords(spoken, spoken), {
        networks: [
          { ssid: chinese ? '四号厂房' : 'Plant 4', security: 'WPA2-PSK-AES', quality: 88 },
          { ssid: chinese ? '四号厂房-访客' : 'Plant 4 guests', security: 'none', quality: 71 },
          { ssid: 'Warehouse-5G', security: 'WPA2-PSK-AES', quality: 46 },
        ],
        minutes: 1,
        device: { sn: 'GH-0004-2613', model: 'Gatehouse', version: '1.0.0' },
        failed: null,
        problem: null,
      });
  }
}
