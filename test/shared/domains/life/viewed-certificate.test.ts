import { expect, test } from 'vitest';
import { viewed } from '../../../../shared/domains/life/viewed-certificate.ts';
import { certified, claimed, VALIDATION } from '../claimed-domain.ts';
import { VIEW } from './applied-transitions.ts';

const domain = claimed({ certificate: certified() });

test('viewed takes the validation records that ACM names', () => {
  const validations = [{ name: '_new.zoo.example', value: '_value.aws' }];
  expect(viewed(domain, { ...VIEW, validations }).validations).toEqual(validations);
});

test('viewed keeps the validation records when ACM names none', () => {
  expect(viewed(domain, VIEW)).toEqual({ ...domain.certificate, ...VIEW, validations: [VALIDATION] });
});
