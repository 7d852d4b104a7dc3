import { CopyButton } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';
import { curlCommand } from './curl-command.ts';

/** How to call a live domain: on one machine by curl, since browsers ask the public DNS. */
export function TryIt({ domain }: { domain: string }) {
  const { isLocal, details } = useEnvironment();
  if (!isLocal) {
    return (
      <p class="try">
        <a href={`https://${domain}`} target="_blank" rel="noreferrer noopener">
          Open https://{domain}
        </a>
      </p>
    );
  }
  if (!details?.edge) return null;
  const command = curlCommand(domain, details.edge);
  return (
    <p class="secret">
      <code>{command}</code>
      <CopyButton text={command} what="the command" />
    </p>
  );
}
