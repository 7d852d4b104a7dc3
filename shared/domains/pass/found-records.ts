import { timeOf } from '../clock.ts';
import { checkAtServers } from '../dns/check-dns.ts';
import { type RequiredRecord, requiredRecords } from '../dns/required-record.ts';
import type { FindVantagePoints } from '../dns/vantage-points.ts';
import type { Domain } from '../life/domain.ts';
import { factsOfReason } from '../life/domain-reason.ts';
import { STATUSES } from '../life/domain-status.ts';
import { waitsForRecords } from '../life/todo.ts';
import { creationFor, inZone, neededOf } from './inspection.ts';
import { claimTroubles, recordTodo } from './troubles.ts';

const FOUND = 'The records are there.';

/** What is wrong with a record that is there, or with another one in its place. */
const WRONG: readonly string[] = ['mismatch', 'conflict'];

/**
 * The claim as it would be if the records were checked that its zone's own servers have by now. What else the last check has
 * seen stays, and before the first one, what is wrong counts, too. Nothing is stored.
 */
export async function withFoundRecords(
  claim: Domain,
  vantagePoints: FindVantagePoints,
  nowMs: number,
): Promise<Domain> {
  const points = await vantagePoints(claim.domain);
  const current = { ...inZone(claim, points), lookedAt: timeOf(nowMs) };
  const required = requiredRecords(current);
  const checked = await checkAtServers(required, current.zone, points, creationFor(current));
  const before = ({ purpose, name, value }: RequiredRecord) =>
    claim.records.find(other => other.purpose === purpose && other.name === name && other.value === value);
  const records = neededOf(checked, current).flatMap(record => {
    const known = before(record);
    const isNews = record.state === 'ok' || (!known && WRONG.includes(record.state));
    return isNews ? { ...record, observed: [...record.observed] } : (known ?? []);
  });
  const next = { ...current, records };
  const isFound = (about: string) =>
    records.some(({ purpose, state }) => purpose === about && state === 'ok');
  const { awaits, group } = STATUSES[claim.status];
  if (claim.reason === null) {
    const todos = required.map(record => {
      const seen = records.find(({ purpose }) => purpose === record.purpose);
      return { todo: recordTodo(seen ?? { ...record, state: 'missing', action: '' }, next) };
    });
    return awaits !== null && !waitsForRecords(todos) ? { ...next, message: FOUND } : next;
  }
  if (!isFound(factsOfReason(claim.reason).about)) return next;
  if (group !== 'setting-up') return { ...next, message: FOUND };
  const [trouble = { reason: null, message: FOUND }] = claimTroubles({ ...next, reason: null });
  return { ...next, ...trouble };
}
