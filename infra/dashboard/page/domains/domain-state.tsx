import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { domainState } from '../domain-words.ts';
import { State } from '../elements.tsx';

export function DomainState({ report }: { report: DomainReport }) {
  const { tone, words } = domainState(report);
  return <State tone={tone}>{words}</State>;
}
