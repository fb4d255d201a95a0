import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { day } from '../../parts/numbers.ts';
import { session } from '../../session.ts';
import { words } from './certificates-words.ts';
import { Head } from './head.tsx';
import { words as system } from './words.ts';

const dayMs = 86_400_000;
const downloads = [
  ['crt', 'ca.crt'],
  ['apple', 'gatehouse.mobileconfig'],
  ['pem', 'ca.pem'],
] as const;

/** Certificates that devices have to trust, and how to install them. */
export default function Certificates() {
  const { loaded, reload } = useLoaded('/certificates');
  const { data, problem } = loaded.value;
  const said = words.value;
  if (!data)
    return (
      <>
        <Head sentence={system.value.tabs.certificates} />
        {problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />}
      </>
    );
  const { ca, served } = data;
  return (
    <>
      <Head sentence={said.sentence(Math.floor((served.until - now.value) / dayMs))} />
      {session.value?.certificate_refused && <p class="notice">{said.notTrusted}</p>}
      <h2>{said.ca}</h2>
      <p>{said.lead}</p>
      <dl class="facts">
        <dt>{said.fingerprint}</dt>
        <dd class="mono fingerprint">{ca.sha256}</dd>
        <dt>{said.until}</dt>
        <dd class="mono">{day(ca.until)}</dd>
        <dt>{said.name}</dt>
        <dd>
          {ca.subject} <span class="quiet">{data.own_authority ? said.made : said.fromSite}</span>
        </dd>
      </dl>
      <p class="bar">
        {downloads.map(([what, file]) => (
          <a key={file} class="act" href={`/admin/v1/certificates/${file}`} download={file} target="_self">
            {said[what]}
          </a>
        ))}
      </p>
      <h2>{said.how}</h2>
      <div class="cols">
        {[said.windows, said.android, said.iphone, said.mac].map(text => (
          <ol key={text} class="steps">
            {text.split('\n').map(step => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        ))}
      </div>
      <h2>{said.served}</h2>
      <dl class="facts">
        <dt>{said.names}</dt>
        <dd class="mono">{served.names.join(', ')}</dd>
        <dt>{said.signer}</dt>
        <dd>{served.issuer}</dd>
        <dt>{said.until}</dt>
        <dd class="mono">{day(served.until)}</dd>
        <dt>{said.fingerprint}</dt>
        <dd class="mono fingerprint">{served.sha256}</dd>
      </dl>
    </>
  );
}
