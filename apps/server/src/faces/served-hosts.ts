import { isLoopback } from '../settings.ts'

/** Whether requests that name this host are for us; `host` is that of the header, with or without a port. */
export type ServedHosts = (host: string) => boolean

/**
 * A page elsewhere that had its own name resolved to this machine must not read answers (DNS rebinding): where people
 * reach Septet by known names, requests that name another are refused. On a public bind without SEPTET_PUBLIC_URL no
 * name is known, so every one is served.
 */
export function servedHosts(bind: string, publicUrl: string | undefined): ServedHosts {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl).host
  if (known === undefined && !isLoopback(bind)) return () => true
  return (host) => LOOPBACK.test(host) || host.toLowerCase() === known
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/iu

/** Asked by machines that know an address and no name; none of them tells a browser anything that is not public. */
export const ASKED_BY_ADDRESS = new Set(['/healthz', '/readyz', '/metrics'])
