import { domainToUnicode } from 'node:url';
import { printable } from '../framework/display-width.ts';

/** A domain as people read it: an international name in both forms, others as they are. */
export function readableName(domain: string): string {
  const written = printable(domainToUnicode(domain));
  return written === '' || written === domain ? domain : `${domain} (${written})`;
}
