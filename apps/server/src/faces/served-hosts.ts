import { isLoopback } from '../setting-values.ts'

/** Whether requests that name this host are for us; `host` is that of the header, with or without a port. */
export type ServedHosts = (host: string) => boolean

/**
 * A page elsewhere that had its own name resolved to this machine must not read answers (DNS rebinding): where people
 * reach Septet by known names, requests that name another are refused. On a public bind without SEPTET_PUBLIC_URL no
 * name is known, so every one is served.
 */
export function servedHosts(bind: string, publicUrl: string | undefined): ServedHosts {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (known === undefined && !isLoopback(bind)) return () => true
  const names =
    known === undefined ? [] : [known.host, `${known.hostname}:${known.port || DEFAULT_PORTS.get(known.protocol)}`]
  return (host) => LOOPBACK.test(host) || names.includes(host.toLowerCase())
}

/** What clients may leave out of the header, and some write out (RFC 9110, section 4.2.3). */
const DEFAULT_PORTS = new Map([
  ['http:', '80'],
  ['https:', '443'],
])

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/iu

/** Asked by machines that know an address and no name; none of them tells a browser anything that is not public. */
export const ASKED_BY_ADDRESS = new Set(['/healthz', '/readyz', '/metrics'])
