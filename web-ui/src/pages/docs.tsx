import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Problem, query as queryText } from '../api.ts';
import { Field } from '../parts/field.tsx';
import { Loading, ProblemNotice } from '../parts/notices.tsx';
import { count } from '../parts/numbers.ts';
import { words } from '../words/index.ts';
import { groups, type OpenApi, operationsOf } from './docs/document.ts';
import { OperationDetails, withCode } from './docs/operation.tsx';
import { docsWords } from './docs/words.ts';
import './docs.css';

/** Every call of the box's APIs, from its own OpenAPI document. */
export default function Docs() {
  const { query, route } = useLocation();
  const document = useSignal<OpenApi | null>(null);
  const problem = useSignal<Problem | null>(null);
  const said = docsWords.value;
  const { address } = said;
  useEffect(() => {
    const left = new AbortController();
    fetch(address, left)
      .then(answer => answer.json())
      .then(
        read => {
          document.value = read as OpenApi;
        },
        () => {
          if (!left.signal.aborted) problem.value = new Problem(0, 'network', words.peek().problem.network);
        },
      );
    return () => left.abort();
  }, [address, document, problem]);
  if (!document.value) return problem.value ? <ProblemNotice problem={problem.value} /> : <Loading />;
  const all = operationsOf(document.value);
  const wanted = (query.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = all.filter(({ method, path, command, summary = '' }) => {
    const text = `${method} ${path} ${command} ${summary}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  });
  return (
    <>
      <p class="sentence">
        {wanted.length === 0 ? said.count(count(all.length)) : said.found(fitting.length, all.length)}
      </p>
      <div class="bar">
        <Field
          label={said.search}
          type="search"
          value={query.q ?? ''}
          onInput={event => route(`/docs${queryText({ q: event.currentTarget.value })}`, true)}
        />
      </div>
      <p>
        <a href={address} target="_blank" rel="noopener">
          {said.document}
        </a>
        {said.and}
        <a href="/asyncapi.json" target="_blank" rel="noopener">
          {said.topics}
        </a>
      </p>
      {groups.map(group => {
        const shown = fitting.filter(one => one.group === group);
        if (shown.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{said.groups[group]}</h2>
            {group === 'admin' && <p class="quiet">{withCode(said.adminNote)}</p>}
            {(group === 'attendance' || group === 'services') && <p class="quiet">{said.signedNote}</p>}
            {shown.map(operation => (
              <OperationDetails
                key={`${operation.method} ${operation.path} ${operation.command}`}
                operation={operation}
                document={document.value!}
              />
            ))}
          </section>
        );
      })}
    </>
  );
}
