import { useRef, useState } from 'preact/hooks';
import { RECORD_TITLES } from '../../../../shared/domains/life/domain-reason.ts';
import type { FirstLook, ProjectView } from '../../../../shared/operator/contract.ts';
import { pastedHost, takenHost } from '../../../operator/domains/pasted-host.ts';
import type { ShownError } from '../../server/protocol.ts';
import { read } from '../api.ts';
import { FormDialog } from '../dialog.tsx';
import { AS_TYPED, Help, Icon, Select, TextField } from '../elements.tsx';
import { useEnvironment } from '../environment.ts';
import { navigate } from '../location.ts';
import { announce } from '../notices.ts';
import { A_DEPLOY } from '../projects/project-page.tsx';
import { lackOf, RequirementButton } from '../projects/requirement.tsx';
import { useChange } from '../queries.ts';
import { pathOf } from '../routes.ts';
import { redirectTargets } from './domain-view.ts';

interface AddDomainProps {
  readonly project: ProjectView;
  readonly onClose: () => void;
}

/** What was found out about a name. */
interface Checked {
  readonly domain: string;
  readonly look: FirstLook;
}

/** Adds a domain in two steps: the first looks at the name and changes nothing, the second adds it. */
export function AddDomain({ project, onClose }: AddDomainProps) {
  const { stage } = useEnvironment();
  const addition = useChange('domains.add');
  const redirection = useChange('domains.redirect');
  const [typed, setTyped] = useState('');
  const [checked, setChecked] = useState<Checked>();
  const [checking, setChecking] = useState<{ isSending: boolean; error?: ShownError | undefined }>();
  const [isPair, setPair] = useState(false);
  const [switchLater, setSwitchLater] = useState(false);
  const [to, setTo] = useState('');
  const { domain, look } = checked ?? { domain: pastedHost(typed).toLowerCase(), look: undefined };
  const name = look?.suggestion?.domain ?? domain;
  const sibling = look?.detour ? undefined : look?.sibling?.domain;
  const withWww = isPair && sibling !== undefined && to === '';
  const targets = redirectTargets(name, project);
  const lack = lackOf(project);
  const latest = useRef(typed);
  const type = (text: string) => {
    latest.current = text;
    setTyped(text);
    setChecked(undefined);
    setChecking(undefined);
    addition.clear();
  };
  const check = async () => {
    setChecking({ isSending: true });
    const response = await read(stage, 'domains.check', { project: project.id, domain });
    // Another name was typed in the meantime.
    if (latest.current !== typed) return;
    setChecking({ isSending: false, error: response.ok ? undefined : response.error });
    if (!response.ok) return;
    const { suggestion } = response.result;
    setPair(suggestion?.withWww ?? false);
    setSwitchLater(suggestion?.switchLater ?? false);
    setChecked({ domain: response.result.domain, look: response.result });
  };
  const add = async () => {
    const added = await addition.send({
      project: project.id,
      domain: name,
      ...(withWww && { withWww }),
      ...(switchLater && { switchLater }),
    });
    if (!added) return;
    if (to !== '' && !(await redirection.send({ project: project.id, domain: added.domain, to }))) return;
    announce(`Added ${added.domain}. Now create its DNS records.`);
    onClose();
    navigate(pathOf({ page: 'domain', stage, project: project.id, domain: added.domain }));
  };
  const change = addition.error || addition.isSending ? addition : redirection;
  return (
    <FormDialog
      title="Add domain"
      action={checked ? `Add ${look?.detour ? name : 'domain'}` : 'Continue'}
      change={checked ? change : { isSending: checking?.isSending ?? false, error: checking?.error }}
      isDisabled={lack !== undefined || (look !== undefined && look.suggestion === null)}
      onClose={onClose}
      onSubmit={checked ? add : check}
    >
      {lack && <Requirement id={project.id} lack={lack} />}
      <TextField
        title="Domain or subdomain"
        value={typed}
        onChange={type}
        help={
          domain === typed.trim().toLowerCase() || look
            ? !checked && 'You need access to its DNS settings. Nothing is changed yet.'
            : takenHost(domain)
        }
        input={{ ...AS_TYPED, required: true, placeholder: 'www.example.com', inputMode: 'url' }}
      />
      <div role="status">{look && <Look look={look} />}</div>
      {checked && sibling !== undefined && to === '' && look?.suggestion && (
        <label class="choice">
          <input type="checkbox" checked={withWww} onChange={event => setPair(event.currentTarget.checked)} />
          <span class="break">
            Also add {sibling}, redirecting to {domain}
          </span>
        </label>
      )}
      {checked && (!look || look.suggestion) && (
        <label class="choice">
          <input
            type="checkbox"
            checked={switchLater}
            onChange={event => setSwitchLater(event.currentTarget.checked)}
          />
          <span>
            This domain is in use: prepare first, switch later
            <Help>The certificate is issued while your visitors still go to the old site.</Help>
          </span>
        </label>
      )}
      {checked && targets.length > 0 && !withWww && (!look || look.suggestion) && (
        <Select
          title="When it's live"
          value={to}
          options={[
            ['', 'Serve the project'],
            ...targets.map(each => [each, `Redirect to ${each}`] as const),
          ]}
          onChange={setTo}
        />
      )}
    </FormDialog>
  );
}

/** What the project lacks for custom domains, with buttons that fix it. */
function Requirement({ id, lack }: { id: string; lack: NonNullable<ReturnType<typeof lackOf>> }) {
  return (
    <div class="note note-attention">
      <div>
        <p>
          {lack === 'plan'
            ? 'Custom domains need the pro plan or above.'
            : `${id} has no successful deploy yet. ${A_DEPLOY}`}
        </p>
      </div>
      <RequirementButton id={id} lack={lack} />
    </div>
  );
}

/** What was found, which records will be needed, and what happens next. */
function Look({ look: { findings, records, provider, suggestion, next } }: { look: FirstLook }) {
  return (
    <div class="look">
      <ul>
        {findings.map(({ text, isTrouble }) => (
          <li key={text} class={`break ${isTrouble ? 'trouble' : ''}`}>
            <Icon name={isTrouble ? 'exclamation' : 'check'} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {suggestion && (
        <>
          <details>
            <summary>{records.length} records will be needed</summary>
            <ul>
              {records.map(({ purpose, type, label, name }) => (
                <li key={`${purpose} ${name}`}>
                  {RECORD_TITLES[purpose]}: {type === 'ALIAS' ? (provider?.alias ?? type) : type}{' '}
                  <span class="mono break">{label}</span>
                </li>
              ))}
            </ul>
          </details>
          <h3>What happens next</h3>
          <ol>
            {next.map(step => (
              <li key={step} class="break">
                {step}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
