/** The host of a URL that was given where a domain is asked for; the text itself if it's no URL. */
export function pastedHost(text: string): string {
  const typed = text.trim();
  const isUrl =
    /^https?:/i.test(typed) || /^[^@:?#/]+(:\d+)?[/?#]/.test(typed) || /^[^@:?#/]+:\d+$/.test(typed);
  if (!isUrl) return typed;
  const url = URL.parse(/^https?:/i.test(typed) ? typed : `https://${typed}`);
  return url?.hostname || typed;
}

/** What is said where the host was taken. */
export function takenHost(host: string): string {
  return `Using ${host}.`;
}
