import type { AuthConfig } from '@septet/auth'

/**
 * Headers of every answer. Scripts run only from our own files, none inline. Styles may be inline: charts and slice
 * bars set widths. A hosted project that holds the accounts is the only other origin that a page may ask.
 */
export function securityHeaders({
  mode,
  publicUrl,
}: Pick<AuthConfig, 'mode' | 'publicUrl'>): Readonly<Record<string, string>> {
  const elsewhere = mode.kind === 'hosted' ? ` ${new URL(mode.url).origin}` : ''
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${elsewhere}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "form-action 'self'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    // Two years: as long as browsers ask for. Subdomains are left to whoever owns the domain.
    ...(publicUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=63072000' } : {}),
  }
}
