const START = '<!-- written by npm run cost -->\n';
const END = '<!-- end -->\n';

/** The README with these tables in place of the present ones. */
export function withCosts(readme: string, report: string): string {
  const [before, rest = ''] = readme.split(START);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) throw new Error('The README has no place for the tables.');
  return `${before}${START}\n${report}\n${END}${after}`;
}
