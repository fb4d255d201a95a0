/** One figure as Prometheus reads it. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly values: readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: number;
    /** Behind the name: `_bucket`, `_sum` and `_count` of a histogram. */
    readonly suffix?: string;
  }[];
}

/** The text exposition format of Prometheus, version 0.0.4. */
export function exposition(figures: readonly Figure[]): string {
  const lines: string[] = [];
  for (const { name, help, type, values } of figures) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { labels = {}, value, suffix = '' } of values) {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
      lines.push(`${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
