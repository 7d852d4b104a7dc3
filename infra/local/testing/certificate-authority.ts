export { type CertificateAuthority, openCertificateAuthority } from '../acm/certificate-authority.ts';
