import { CopyButton } from '../elements.tsx';
import { useEnvironment } from '../environment.tsx';

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
  const { https, ca } = details.edge;
  const command = `curl -i --cacert ${ca} --connect-to ${domain}:443:${https} https://${domain}/v1/pets`;
  return (
    <p class="secret">
      <code>{command}</code>
      <CopyButton text={command} what="the command" />
    </p>
  );
}
