import './block.css';

/** Machine-readable text, which scrolls within its frame, with the keyboard too. */
export const Block = ({ label, text }: { label: string; text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
  <section class="block" tabIndex={0} aria-label={label}>
    <pre class="mono">{text}</pre>
  </section>
);
