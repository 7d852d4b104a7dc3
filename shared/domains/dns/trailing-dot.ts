/** A name as this service compares and stores names: in lower case, without the dot that DNS and AWS end names with. */
export function withoutTrailingDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
