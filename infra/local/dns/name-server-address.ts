/**
 * The addresses of the name servers of hosted zones. A server listens on a port of 127.0.0.1, but an A record has no
 * port: the address carries it as 127.53.(port >> 8).(port & 255). Functions reach such an address at port 53.
 */
export function nameServerAddress(port: number): string {
  return `127.53.${port >> 8}.${port & 255}`;
}
