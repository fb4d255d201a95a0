import { useLocation } from 'preact-iso';
import type { IntegrationsReport } from '../../../src/admin/ui/integrations.ts';
import { useLoaded } from '../loaded.ts';
import { nav } from '../nav.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { now } from '../parts/now.ts';
import { ago } from '../parts/numbers.ts';
import { TabLinks } from '../parts/tab-links.tsx';
import { may } from '../session.ts';
import { Callers } from './integrations/callers.tsx';
import { Console } from './integrations/console.tsx';
import { Grants } from './integrations/grants.tsx';
import { MarkedCalls } from './integrations/marked.tsx';
import { refusedCallWords } from './integrations/mistake-words.ts';
import { programWords } from './integrations/program-words.ts';
import { SitePrograms } from './integrations/programs.tsx';
import { Requests } from './integrations/requests.tsx';
import { webhookWords } from './integrations/webhook-words.ts';
import { Webhooks } from './integrations/webhooks.tsx';
import { integrationWords } from './integrations/words.ts';
import '../parts/acts.css';
import './integrations.css';

const names = ['callers', 'requests', 'allowed', 'console', 'webhooks', 'programs'] as const;

/** Integrators: who may call the box, and why a call was refused. */
export default function Integrations() {
  const { query } = useLocation();
  const { loaded, reload } = useLoaded('/integrations');
  const { data, problem } = loaded.value;
  const said = integrationWords.value;
  const tab = names.find(name => name === query.tab) ?? 'callers';
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  return (
    <>
      <p class="sentence">{leadOf(tab) ?? sentence(data)}</p>
      <TabLinks
        label={nav.value.integrations}
        current={tab}
        tabs={names
          .filter(name => name !== 'console' || may('admin'))
          .map(name => ({
            name,
            title: name === 'webhooks' ? webhookWords.value.title : said.tabs[name],
            href: name === 'callers' ? '/integrations' : `/integrations?tab=${name}`,
          }))}
      />
      <ProblemNotice problem={problem} again={reload} />
      {tab === 'callers' && <Callers callers={data.callers} reload={reload} />}
      {tab === 'requests' && (
        <>
          <Requests requests={data.requests} ofProcess={data.of_process} only={query.caller} reload={reload} />
          <MarkedCalls calls={data.marked} />
        </>
      )}
      {tab === 'allowed' && <Grants grants={data.grants} callers={data.callers} reload={reload} />}
      {tab === 'console' && <Console callers={data.callers} />}
      {tab === 'webhooks' && <Webhooks />}
      {tab === 'programs' && <SitePrograms />}
    </>
  );
}

const leadOf = (tab: (typeof names)[number]): string | null => {
  if (tab === 'webhooks') return webhookWords.value.lead;
  return tab === 'programs' ? programWords.value.title : null;
};

function sentence({ callers, requests, marked }: IntegrationsReport): string {
  const said = integrationWords.value;
  // Rejected ones are first.
  const [last] = requests;
  if (last?.why) return said.refusedLast(last.caller || refusedCallWords.value.nobody, ago(last.at, now.value));
  const [taken] = marked;
  if (taken) return said.markedLast(taken.app_id, ago(taken.at, now.value));
  return callers.length === 0 ? said.noCallers : said.calm(callers.length);
}
