import { createHash } from 'node:crypto';

/** The headers of every answer: no code but the page's own files, no frames, no caches, nothing to other hosts. */
export function securityHeaders(extraStyleSource = ''): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self'${extraStyleSource}`,
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  };
  return {
    'Content-Security-Policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** The source expression that allows this one style element. */
export function hashSource(style: string): string {
  return ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}
