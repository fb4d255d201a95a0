import type { LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { AlertChannel } from '../../platform/alerts.ts';
import type { ChannelContent } from '../../platform/daily-report.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Reason } from '../../words/sentences.ts';
import type { AlertSettings } from '../settings.ts';
import type { Channel, Post } from './channel.ts';
import { mailChannel } from './mail.ts';
import { dingtalk, feishu, robotChannel, wecom } from './robots.ts';
import { linesOf, type Spoken } from './text.ts';
import { webhookChannel } from './webhook.ts';

/** Dependencies of the channels. */
interface ChannelParts {
  readonly spoken: Spoken;
  /** For the log: a message got through, but not to everybody. */
  readonly warn: (why: Reason) => void;
  readonly post: Post;
  /** For mail servers that the config does not name: judges their address. */
  readonly mailLookup: LookupFunction | undefined;
  readonly secureContext: () => SecureContext | undefined;
  /** The platform's own messages (SPEC 4.7). */
  readonly push: (body: object, appId: string) => Promise<void>;
  readonly sendShort: (body: object, appId: string) => Promise<void>;
}

/** Makes the channel of a name from its settings, which must be there. */
export const alertChannelsBy =
  (parts: ChannelParts) =>
  (name: AlertChannel, settings: AlertSettings, named: boolean): Channel => {
    const { spoken, warn, post, mailLookup, secureContext } = parts;
    switch (name) {
      case 'mail':
        return mailChannel(
          settings.mail!,
          { warn, secureContext: secureContext(), lookup: named ? undefined : mailLookup },
          spoken,
        );
      case 'webhook':
        return webhookChannel(settings.webhook!, post, named);
      case 'dingtalk':
        return robotChannel(dingtalk(settings.dingtalk!, spoken), post, named);
      case 'feishu':
        return robotChannel(feishu(settings.feishu!, spoken), post, named);
      case 'wecom':
        return robotChannel(wecom(settings.wecom!, spoken), post, named);
      case 'push':
        return pushChannel(settings.push!, parts);
      case 'sms':
        return shortMessageChannel(settings.sms!, parts);
    }
  };

const pushChannel = (
  { app_id: appId, template, tags }: NonNullable<AlertSettings['push']>,
  { push, spoken }: ChannelParts,
): Channel => ({
  perMinute: 30,
  async send({ content: said }, now) {
    const content = {
      template,
      template_params: paramsOf(said, now, spoken),
      extra: { alert: said.type, link: said.link },
    };
    await push({ content, platforms: ['android', 'ios'], target: { identities: [], tags } }, appId);
  },
});

const shortMessageChannel = (
  { app_id: appId, template, region, mobiles }: NonNullable<AlertSettings['sms']>,
  { sendShort, spoken }: ChannelParts,
): Channel => ({
  perMinute: 10,
  async send({ content: said }, now) {
    const target = mobiles.map(mobile => ({ mobile, mobile_region: region }));
    await sendShort({ content: { template, template_params: paramsOf(said, now, spoken) }, target }, appId);
  },
});

const paramsOf = (content: ChannelContent, now: UnixMs, spoken: Spoken) => ({
  title: content.title,
  text: linesOf({ ...content, link: '' }, now, spoken).join(' '),
  link: content.link,
});
