import './tab-links.css';
import { usePagePart } from './page-part.ts';

/** The parts of a page, as links: which one is open lives in the address. */
export function TabLinks<Name extends string>({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { readonly name: Name; readonly title: string; readonly href: string }[];
  current: Name;
}) {
  usePagePart(tabs.find(({ name }) => name === current)?.title ?? '');
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title, href }) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
