/**
 * Writes docs/performance.md: an introduction on the method, and a section for each recorded run.
 */

export const head = `# Performance

What the box does beside its peers, and the command that measures it. Figures are of one machine: compare the ratios.

    npm run bench                                  # every row: half an hour, and 10 GB of disk
    npm run bench -- --only qos1 --only big-pages  # these rows
    npm run bench -- --only soak --minutes 60      # an hour of load, which only comes by name
    npm run bench -- --write                       # and write what was measured into this file

\`--rounds 5\` and \`--seconds 5\` say how often and how long each figure is taken; \`--rows 10000000\` how full the full store is. It is made at its first use, in
some minutes more, below \`node_modules/.cache\`. With \`--only\`, \`--write\` lays down a section of its own and leaves the others. \`GATEHOUSE_BINARY\` names an executable to measure in the place of \`bin/gatehouse\`.
`;

const sectionStart = /^## /m;

/**
 * The file with this run in it: in the place of an earlier one of the same title, else at the end.
 */
export function withSection(text: string, title: string, body: string): string {
  const sections = text
    .split(sectionStart)
    .slice(1)
    .map(section => {
      const end = section.indexOf('\n');
      return { title: section.slice(0, end).trim(), body: section.slice(end + 1).trim() };
    });
  const place = sections.findIndex(section => section.title === title);
  const written = { title, body: body.trim() };
  if (place >= 0) sections[place] = written;
  else sections.push(written);
  return `${head}\n${sections.map(section => `## ${section.title}\n\n${section.body}\n`).join('\n')}`;
}
