/** A time as it is stored: RFC 3339, in UTC. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
