import { signal, useSignal } from '@preact/signals';
import { Block } from '../../parts/block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Table } from '../../parts/table.tsx';
import { curlOf, type OpenApi, type Operation, sampleCallOf, shapeOf } from './document.ts';
import { type SampleLanguage, samples } from './samples.ts';
import { docsWords } from './words.ts';

/** One call: a line that opens. */
export function OperationDetails({ operation, document }: { operation: Operation; document: OpenApi }) {
  const open = useSignal(false);
  const { method, path, summary = '' } = operation;
  return (
    <details
      class="operation"
      open={open}
      onToggle={event => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>
        <span class="mono">
          <b>{method}</b> {path}
        </span>{' '}
        <span class="quiet">{withCode(summary)}</span>
      </summary>
      {open.value && <Inside operation={operation} document={document} />}
    </details>
  );
}

/** Text between backquotes is for machines. */
export const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

function Inside({ operation, document }: { operation: Operation; document: OpenApi }) {
  const said = docsWords.value;
  const { parameters = [], requestBody, responses = {}, method, path, command } = operation;
  const call = sampleCallOf(operation, location.origin);
  const name = `${method} ${path}${command === '' ? '' : ` ${command}`}`;
  return (
    <>
      {parameters.length > 0 && (
        <>
          <h3>{said.parameters}</h3>
          <Table
            caption={`${said.parameters}: ${name}`}
            rows={parameters}
            rowKey={row => `${row.in} ${row.name}`}
            columns={[
              {
                key: 'name',
                title: said.name,
                cell: row => (
                  <span>
                    <span class="mono">{row.name}</span> {row.required && <span class="quiet">{said.needed}</span>}
                  </span>
                ),
              },
              { key: 'in', title: said.where, cell: row => said.places[row.in] },
              {
                key: 'kind',
                title: said.kind,
                cell: row => <span class="mono">{shapeOf(row.schema, document)}</span>,
              },
              {
                key: 'meaning',
                title: said.meaning,
                cell: row => withCode(row.description ?? row.schema?.description ?? ''),
              },
            ]}
          />
        </>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
        <div key={type}>
          <h3>
            {said.body} <span class="quiet mono">{type}</span>
          </h3>
          <Block label={`${said.body}: ${name}`} text={shapeOf(schema, document)} />
        </div>
      ))}
      <h3>{said.answers}</h3>
      <dl class="facts">
        {Object.entries(responses).map(([status, { description, content = {} }]) => (
          <div key={status} class="answer">
            <dt class="mono">{status}</dt>
            <dd>
              {withCode(description ?? '')}
              {status === '200' &&
                Object.entries(content).map(([type, { schema }]) => (
                  <Block
                    key={type}
                    label={`${status} ${type}: ${name}`}
                    text={`${type}\n${shapeOf(schema, document)}`}
                  />
                ))}
            </dd>
          </div>
        ))}
      </dl>
      {call ? (
        <>
          <h3>{said.sample}</h3>
          <p class="quiet">{withCode(said.sampleNote[call.api])}</p>
          <fieldset class="bar sample-languages" aria-label={`${said.sample}: ${name}`}>
            {languages.map(one => (
              <button
                key={one}
                type="button"
                class="act"
                aria-pressed={one === language.value}
                onClick={() => {
                  language.value = one;
                }}
              >
                {one}
              </button>
            ))}
          </fieldset>
          <Sample label={`${language.value}: ${name}`} text={samples[language.value](call)} />
        </>
      ) : (
        <>
          <h3>{said.curl}</h3>
          <Sample label={`${said.curl}: ${name}`} text={curlOf(operation, document, location.origin)} />
        </>
      )}
    </>
  );
}

const languages = Object.keys(samples) as SampleLanguage[];
/** One choice for every call. */
const language = signal<SampleLanguage>('curl');

const Sample = ({ label, text }: { label: string; text: string }) => (
  <>
    <Block label={label} text={text} />
    <p>
      <CopyButton text={text} />
    </p>
  </>
);
