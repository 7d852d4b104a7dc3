/**
 * The public IP addresses that this machine stands for. Names resolve to addresses of Amazon, as on AWS: functions may
 * refuse to connect to any other kind. The routes of functions (lambda/network-routes.ts) lead from there to this machine.
 */

/** Where API Gateway serves custom domain names, by the type of the record. */
export const EDGE_ADDRESSES = { A: '3.4.4.3', AAAA: '2600:1f18::443' } as const;

/** The address of a name server. It listens on a port of 127.0.0.1; an A record has no port, so the address encodes it. */
export function nameServerAddress(port: number): string {
  return `3.53.${port >> 8}.${port & 255}`;
}

/** The port of the name server at an address, if there is one. */
export function nameServerPort(address: string): number | undefined {
  const [, high, low] = /^3\.53\.(\d+)\.(\d+)$/.exec(address) ?? [];
  return high === undefined ? undefined : Number(high) * 256 + Number(low);
}
