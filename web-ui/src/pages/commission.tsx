import { useLocation } from 'preact-iso';
import { useLoaded } from '../loaded.ts';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { TabLinks } from '../parts/tab-links.tsx';
import { BoxNetwork } from './commission/box-network.tsx';
import { Find } from './commission/find.tsx';
import { isDone, list } from './commission/list.ts';
import { Report } from './commission/report.tsx';
import { SetUp } from './commission/set-up.tsx';
import { WalkTest } from './commission/walk.tsx';
import { commissionWords } from './commission/words.ts';
import '../parts/acts.css';
import './commission.css';

const steps = ['find', 'setup', 'walk', 'report', 'network'] as const;

/**
 * An installer with a phone: find a device, see that it is genuine, give it its network, see it
 * work, hand it over.
 */
export default function Commission() {
  const { query } = useLocation();
  const { loaded, reload } = useLoaded('/ui/commission');
  const said = commissionWords.value;
  const step = steps.find(name => name === query.step) ?? 'find';
  const { data, problem } = loaded.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const { devices } = list.value;
  return (
    <>
      <p class="sentence">
        {devices.length === 0 ? said.empty : said.progress(devices.filter(isDone).length, devices.length)}
      </p>
      <TabLinks
        label={said.stepsLabel}
        current={step}
        tabs={steps.map(name => ({
          name,
          title: said.steps[name],
          href: name === 'find' ? '/commission' : `/commission?step=${name}`,
        }))}
      />
      {step === 'find' && <Find report={data} />}
      {step === 'setup' && <SetUp target={query.device ?? null} report={data} reload={reload} />}
      {step === 'walk' && <WalkTest />}
      {step === 'report' && <Report report={data} />}
      {step === 'network' && <BoxNetwork />}
    </>
  );
}
