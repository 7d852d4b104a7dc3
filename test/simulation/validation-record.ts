/** The records of the domains that were asked for: there are few, and every list of certificates asks again. */
const validations = new Map<string, { readonly name: string; readonly value: string }>();

/** The validation record of a domain, which is the same for all its certificates in an account. */
export function validationOf(domain: string): { readonly name: string; readonly value: string } {
  const known = validations.get(domain);
  if (known) return known;
  const code = `proof-of-${domain.replaceAll('.', '-')}`;
  const validation = { name: `_${code}.${domain}`, value: `_${code}.acm-validations.aws` };
  validations.set(domain, validation);
  return validation;
}
