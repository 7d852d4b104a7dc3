/**
 * Adds the name of a request header to Vary, which tells caches what the answer depends on besides the address. A name
 * that is there already, in whatever case, is not repeated; `*` includes every name.
 */
export function addVary(headers: Record<string, string>, requestHeader: string): void {
  const names = (headers.Vary ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const isCovered = names.some(name => name === '*' || name.toLowerCase() === requestHeader.toLowerCase());
  headers.Vary = (isCovered ? names : [...names, requestHeader]).join(', ');
}
