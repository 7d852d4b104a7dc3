import {
  addressesOf,
  addressRecords,
  allAddressesOf,
  type CheckedRecord,
  checked,
  unreachable,
  type Vantage,
} from './checked-record.ts';
import { proxyAdvice } from './proxied.ts';
import { creationOf, type RequiredRecord } from './required-record.ts';

/**
 * An ALIAS shows only as addresses. They are compared with those of the host, which only recursive resolvers know: the
 * zone of the domain does not have it. Every answer may be a sample of the host's addresses, so those that are not among
 * them are compared with a second sample before they are called foreign.
 */
export async function checkAlias(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  const { name, value } = required;
  const host = { lookup: vantage.resolve, resolve: vantage.resolve };
  const [seen, targets] = await Promise.all([addressesOf(name, vantage), addressesOf(value, host)]);
  if (seen === undefined || targets === undefined) return unreachable(required, 'no answer');
  if (seen.length === 0) return checked(required, 'missing', [], creationOf(required));
  if (targets.length === 0) {
    const action = `${value} has no address yet, which is not for you to solve. Nothing to do unless this lasts.`;
    return checked(required, 'unreachable', seen, action);
  }
  const unexpected = seen.filter(address => !targets.includes(address));
  if (unexpected.length === 0) return checked(required, 'ok', seen, null);
  const more = await allAddressesOf(value, host);
  if (more === undefined) return unreachable(required, 'no answer');
  const foreign = unexpected.filter(address => !more.includes(address));
  if (foreign.length === 0) return checked(required, 'ok', seen, null);
  const points = foreign.length === 1 ? 'points' : 'point';
  const deletion = `Delete the ${addressRecords(foreign)} at ${name} that ${points} elsewhere (${foreign.join(', ')}).`;
  const proxied = await proxyAdvice(name, foreign, deletion, vantage);
  const isPartlyRight = foreign.length < seen.length;
  const advice = isPartlyRight ? deletion : `${deletion} ${creationOf(required)}`;
  return checked(required, 'mismatch', seen, proxied ?? advice);
}
