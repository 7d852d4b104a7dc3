import type { DomainReport } from '../../../../shared/operator/contract.ts';

/** What to do next, in the words of the service, unless the message or the table of records says the same. */
export function NextSteps({ report: { next, message, records, status } }: { report: DomainReport }) {
  const said = new Set([message, ...records.map(({ action }) => action)]);
  const steps = next.filter(step => !said.has(step));
  // The advice of a live domain is shown as advice.
  if (steps.length === 0 || status === 'live' || status === 'pending_dns') return null;
  return (
    <ul class="next-steps">
      {steps.map(step => (
        <li key={step} class="break">
          {step}
        </li>
      ))}
    </ul>
  );
}
