import { expect, test } from 'vitest';
import { pastedHost } from '../../../../infra/operator/domains/pasted-host.ts';

test.each([
  ['https://docs.example.com/guide?a=1#top', 'docs.example.com'],
  ['HTTP://Docs.Example.com:8080', 'docs.example.com'],
  ['docs.example.com/', 'docs.example.com'],
  ['docs.example.com:443', 'docs.example.com'],
  [' docs.example.com ', 'docs.example.com'],
  ['bücher.example', 'bücher.example'],
  ['sam@example.com', 'sam@example.com'],
  ['https://', 'https://'],
  ['ftp://example.com', 'ftp://example.com'],
])('%s is %s', (typed, host) => expect(pastedHost(typed)).toBe(host));
