/**
 * The public IP addresses that this machine stands for. Names resolve to addresses of Amazon, as on AWS: functions may
 * refuse to connect to any other kind. The routes of functions (lambda/network-routes.ts) lead from there to this machine.
 */

/** Where API Gateway serves custom domain names, by the type of the record. */
export const EDGE_ADDRESSES = { A: '3.4.4.3', AAAA: '2600:1f18::443' } as const;

/** The address of a name server. It listens on a port of 127.0.0.1; an A record has no port, so the address encodes it. */
export const nameServerAddress = (port: number) => addressOf(53, port);

/** The port of the name server at an address, if there is one. */
export const nameServerPort = (address: string) => portOf(53, address);

/** The address of any other HTTPS server on this machine, such as a proxy in front of a custom domain. */
export const webServerAddress = (port: number) => addressOf(43, port);

/** The port of the HTTPS server at an address, if there is one. */
export const webServerPort = (address: string) => portOf(43, address);

function addressOf(network: number, port: number): string {
  return `3.${network}.${port >> 8}.${port & 255}`;
}

function portOf(network: number, address: string): number | undefined {
  const [first, second, high, low, ...rest] = address.split('.').map(Number);
  const isOne = first === 3 && second === network && rest.length === 0;
  return isOne && high !== undefined && low !== undefined ? high * 256 + low : undefined;
}
