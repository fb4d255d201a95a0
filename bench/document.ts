/**
 * Writes docs/performance.md: an introduction on the method, and a section for each recorded run.
 */

export const head = `# Performance

How fast the box is compared with its peers, and the command that measures it. All figures come from one machine: compare the ratios. What a small ARM board is likely to give is calculated in [arm.md](arm.md), what a region of many sites needs in [region-sizing.md](region-sizing.md).

    npm run bench                                  # every row: takes half an hour and 10 GB of disk
    npm run bench -- --only qos1 --only big-pages  # only these rows
    npm run bench -- --only soak --minutes 60      # an hour of load; runs only when named
    npm run bench -- --only paced-long --records 10000000   # 2,000 devices and the cloud's limits: the whole takes ten minutes
    npm run bench -- --only big-ingest --only big-pages --only big-search --only big-start --rows 100000000   # 100 million rows: an hour and more to make the store, 30 GB of disk
    npm run bench -- --only region --only region-pages --only region-rabbitmq   # processes on PostgreSQL, and RabbitMQ
    npm run bench -- --write                       # write the results into this file

\`--rounds 5\` and \`--seconds 5\` set how often and how long each figure is measured, and \`--rows 10000000\` how many rows the full store has (\`--records\` those that the long paced drain has, half of the whole if absent). The full store is made below \`node_modules/.cache\` at its first use,
which takes some minutes more. With \`--only\`, \`--write\` writes a section of its own and leaves the others as they are. \`GATEHOUSE_BINARY\` names an executable to measure instead of \`bin/gatehouse\`.
The floor is a bare server of Node that acknowledges and does nothing else, in the same rounds: what the machine takes for the load at least.
Rounds in which more than 10 % of the processors was stolen by other machines of the host are left out, and said so.
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
