import type { providerHint } from './dns-provider.ts';
import type { RequiredRecord } from './required-record.ts';

type Provider = ReturnType<typeof providerHint>;

/** A record as it is entered at the DNS provider of its domain: exactly what goes into each field. */
export interface RecordEntry {
  readonly type: string;
  /** Empty where the provider wants the field to be left empty. */
  readonly name: string;
  readonly value: string;
  /** Undefined where the provider asks for none. */
  readonly ttl: number | undefined;
}

/** What stands where a name would, if the field is to be left empty. */
export const LEAVE_EMPTY = '(leave empty)';

interface Required extends Pick<RequiredRecord, 'label' | 'value'> {
  readonly type: RequiredRecord['type'] | 'CAA';
  readonly ttl?: number;
}

export function recordEntry({ type, label, value, ttl }: Required, provider: Provider): RecordEntry {
  const kind = type === 'ALIAS' ? (provider?.alias ?? 'ALIAS or ANAME') : type;
  const isHost = type === 'CNAME' || type === 'ALIAS';
  return {
    type: kind,
    name: label === '@' ? (provider?.apexName ?? label) : label,
    value:
      isHost && provider?.appendsToValues
        ? `${value}.`
        : type === 'TXT' && provider?.quotesText
          ? `"${value}"`
          : value,
    // Route 53 takes the TTL of an alias from its target.
    ttl: kind === 'A and AAAA alias' ? undefined : ttl,
  };
}

/** What the provider calls the fields for the name and the value. */
export function fieldNames(provider: Provider): readonly [name: string, value: string] {
  return provider?.fields ?? ['Name', 'Value'];
}
