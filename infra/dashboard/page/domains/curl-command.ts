/** The command that calls a domain at the edge of one machine. The page knows no API key: a shell variable stands for it. */
export function curlCommand(
  domain: string,
  { https, ca }: { readonly https: string; readonly ca: string },
): string {
  const connection = `--cacert ${ca} --connect-to ${domain}:443:${https}`;
  return `curl -i -H "Authorization: Bearer $KEY" ${connection} https://${domain}/v1/pets`;
}
