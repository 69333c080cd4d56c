import { BlockList, isIP } from 'node:net'

import type { FastifyRequest } from 'fastify'

import { foldEmail, isEmail } from '../admission.ts'
import type { Claimant } from './person.ts'
import type { TrustedProxy } from '../sso-config.ts'
import { SsoProblem } from './sso-problem.ts'

/** The issuer of everybody whom the proxy has signed in. */
const ISSUER = 'proxy'

/**
 * Who somebody is by the headers of a proxy. They are believed when the connection itself comes from it: what
 * `x-forwarded-for` says of a request is no proof of that. Throws a `SsoProblem`.
 */
export function openTrustedProxy({ proxies, emailHeader, groupsHeader }: TrustedProxy) {
  const known = blockListOf(proxies)
  return (request: FastifyRequest): Claimant => {
    const peer = (request.raw.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/u, '')
    if (isIP(peer) === 0 || !known.check(peer, familyOf(peer))) {
      throw new SsoProblem('not-by-proxy', `The request came from ${peer || 'nowhere'}.`)
    }
    const email = foldEmail(oneOf(request, emailHeader) ?? '')
    if (!isEmail(email)) throw new SsoProblem('no-email', `The header "${emailHeader}" holds no address.`)
    return {
      issuer: ISSUER,
      subject: email,
      providerSession: undefined,
      email,
      emailVerified: true,
      groups: oneOf(request, groupsHeader)
        ?.split(',')
        .map((group) => group.trim())
        .filter((group) => group !== ''),
    }
  }
}

/** A header that came once; one that came twice may hold a visitor's own beside the proxy's, and is refused. */
function oneOf(request: FastifyRequest, name: string): string | undefined {
  const { rawHeaders } = request.raw
  const isIt = (index: number): boolean => index % 2 === 0 && rawHeaders[index]?.toLowerCase() === name.toLowerCase()
  const values = rawHeaders.flatMap((_, index) => (isIt(index) ? [rawHeaders[index + 1] ?? ''] : []))
  if (values.length > 1) throw new SsoProblem('unclear', `The header "${name}" came ${values.length} times.`)
  return values[0]
}

function blockListOf(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of proxies) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
