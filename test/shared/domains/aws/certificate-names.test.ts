import { ACMClient } from '@aws-sdk/client-acm';
import { expect, test } from 'vitest';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { claimed } from '../claimed-domain.ts';
import { cannedAnswers } from './canned-answers.ts';

/** The names in the request of a certificate for a domain. */
async function requestedNames(domain: string) {
  const sent = cannedAnswers(ACMClient);
  await certificates('staging').ensure(claimed({ domain }));
  const { DomainName, SubjectAlternativeNames }: Record<string, unknown> = { ...sent.at(-1)?.input };
  return { DomainName, SubjectAlternativeNames };
}

test('a name of up to 64 characters is the common name of its certificate, which has no other', async () => {
  const longest = `${'a'.repeat(52)}.zoo.example`;
  expect(longest).toHaveLength(64);
  for (const domain of ['www.zoo.example', longest]) {
    expect(await requestedNames(domain)).toEqual({ DomainName: domain, SubjectAlternativeNames: undefined });
  }
});

test('a longer name is an alternative name beside the first parent that is short enough', async () => {
  const [parent, longestParent] = ['b.zoo.example', `${'c'.repeat(52)}.zoo.example`];
  for (const [domain, common] of [
    [`${'a'.repeat(51)}.${parent}`, parent],
    [`a.${longestParent}`, longestParent],
  ] as const) {
    expect(await requestedNames(domain)).toEqual({ DomainName: common, SubjectAlternativeNames: [domain] });
  }
});
