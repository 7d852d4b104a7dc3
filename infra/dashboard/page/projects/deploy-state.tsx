import type { Project } from '../../../../shared/operator/contract.ts';
import type { StateWords } from '../domain-words.ts';
import { State } from '../elements.tsx';

const WORDS: Readonly<Record<Project['deploy']['state'], StateWords>> = {
  succeeded: { tone: 'ok', words: 'Succeeded' },
  failed: { tone: 'bad', words: 'Failed' },
  none: { tone: 'muted', words: 'None yet' },
};

export function DeployState({ deploy }: { deploy: Project['deploy'] }) {
  const { tone, words } = WORDS[deploy.state];
  return <State tone={tone}>{words}</State>;
}
