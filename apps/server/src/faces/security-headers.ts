import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Headers of every answer. Scripts run only from our own files, and the one inline script of the built page (it sets the
 * theme before the first paint) only by its hash. Styles may be inline: charts and slice bars set widths.
 */
export function securityHeaders(dist: string): Readonly<Record<string, string>> {
  const scripts = ["'self'", ...inlineScripts(dist).map((hash) => `'sha256-${hash}'`)].join(' ')
  return {
    'content-security-policy': `default-src 'self'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  }
}

function inlineScripts(dist: string): string[] {
  const page = join(dist, 'index.html')
  if (!existsSync(page)) return []
  const scripts = readFileSync(page, 'utf8').matchAll(/<script>([\s\S]*?)<\/script>/gu)
  return [...scripts].map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
}
