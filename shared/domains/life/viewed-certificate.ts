import type { CertificateView, Domain } from './domain.ts';

/** The certificate with what ACM says of it. The validation records stay when ACM names none: they never change. */
export function viewed({ certificate }: Domain, view: CertificateView): Domain['certificate'] {
  const validations = view.validations.length > 0 ? view.validations : certificate.validations;
  return { ...certificate, ...view, validations };
}
