import type { CommissionReport } from '../../../../src/admin/ui/commission.ts';
import { Field } from '../../parts/field.tsx';
import { now } from '../../parts/now.ts';
import { day, moment } from '../../parts/numbers.ts';
import { type ListedDevice, list, note } from './list.ts';
import { resultWords, verifyWords } from './said.ts';
import { commissionWords } from './words.ts';

/** Sheet to print, signed by both, and left at the site. */
export function Report({ report }: { report: CommissionReport }) {
  const said = commissionWords.value;
  const { devices, installer, notes } = list.value;
  if (devices.length === 0) return <p class="quiet">{said.reportEmpty}</p>;
  return (
    <>
      <div class="bar">
        <Field
          label={said.installer}
          value={installer}
          maxLength={60}
          autocomplete="name"
          onInput={event => note({ installer: event.currentTarget.value })}
        />
        <Field
          label={said.notes}
          value={notes}
          maxLength={300}
          onInput={event => note({ notes: event.currentTarget.value })}
        />
        <button type="button" class="act go" onClick={() => window.print()}>
          {said.print}
        </button>
      </div>
      <section class="handover" aria-labelledby="handover">
        <h2 id="handover">{said.reportTitle}</h2>
        <dl class="facts">
          <dt>{said.site}</dt>
          <dd>{report.site}</dd>
          <dt>{said.date}</dt>
          <dd>{day(now.value)}</dd>
          <dt>{said.boxId}</dt>
          <dd class="mono">{`${report.box_id} (Gatehouse ${report.version})`}</dd>
          <dt>{said.installer}</dt>
          <dd>{installer || '–'}</dd>
          {notes !== '' && (
            <>
              <dt>{said.notes}</dt>
              <dd>{notes}</dd>
            </>
          )}
        </dl>
        <table class="stack" aria-label={said.reportTitle}>
          <thead>
            <tr>
              {[said.device, said.serial, said.verified, said.wifi, said.punch, said.personalData].map(title => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {devices.map(device => (
              <Row key={device.target} device={device} report={report} />
            ))}
          </tbody>
        </table>
        <div class="signatures">
          <p>{said.signInstaller}</p>
          <p>{said.signCustomer}</p>
        </div>
      </section>
    </>
  );
}

function Row({ device, report }: { device: ListedDevice; report: CommissionReport }) {
  const said = commissionWords.value;
  const { deviceId, name, target, verified, wifi, firstPunch, provedAt, isUnapproved } = device;
  const cut = deviceId?.indexOf('_') ?? -1;
  const product = report.products.find(one => one.product_id === deviceId?.slice(0, cut));
  return (
    <tr>
      <td data-label={said.device}>
        <span>
          {product?.name || device.model || name || target}
          {product && <span class="quiet"> {product.model}</span>}
        </span>
      </td>
      <td data-label={said.serial} class="mono">
        {deviceId === null ? target : deviceId.slice(cut + 1)}
      </td>
      <td data-label={said.verified}>
        {verified
          ? `${moment(verified.at)} ${verifyWords(verified)}`
          : provedAt === null
            ? said.notYet
            : said.provedByLogin(moment(provedAt))}
      </td>
      <td data-label={said.wifi}>{wifi ? `${wifi.ssid}: ${resultWords(wifi)}` : said.notYet}</td>
      <td data-label={said.punch}>{firstPunch ? moment(firstPunch.at) : said.notYet}</td>
      <td data-label={said.personalData}>
        {isUnapproved === null ? said.notYet : isUnapproved ? said.unapproved : said.approved}
      </td>
    </tr>
  );
}
