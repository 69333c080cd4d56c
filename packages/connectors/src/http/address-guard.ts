import { asError } from '@septet/domain/words'
import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Why a request may not go to an address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Networks that no request goes to, wherever its address comes from: link-local with the metadata services of clouds, what
 * stands for no one host, and metadata services that have other addresses (AWS over IPv6, Alibaba, Azure, Google, Oracle).
 * Private networks are allowed: a cluster or a receiver beside a self-hosted Septet is the usual case.
 */
const NEVER = blockList([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::254', 128, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  ['fd00:c1::a9fe:a9fe', 128, 'ipv6'],
])
const LOOPBACK = blockList([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
])

function blockList(subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix, family] of subnets) list.addSubnet(address, prefix, family)
  return list
}

/** Throws `AddressRefused` for an IP address that no request may go to. */
function checkAddress(address: string, allowLoopback: boolean): void {
  const plain = embeddedIpv4(address) ?? address
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (NEVER.check(plain, family)) {
    throw new AddressRefused(`${address} is a link-local, metadata or special address; Septet sends nothing there.`)
  }
  if (!allowLoopback && LOOPBACK.check(plain, family)) {
    throw new AddressRefused(`${address} is Septet's own machine; set SEPTET_WEBHOOK_LOOPBACK=on to allow that.`)
  }
}

/** IPv4 inside IPv6: mapped, translated (SIIT, and NAT64 by either prefix) and 6to4 addresses lead to the same hosts. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined
  const groups = groupsOf(address)
  const [first = 0, second = 0, third = 0] = groups
  const pair = isSixToFour(first) ? [second, third] : isCarrier(groups) ? groups.slice(6) : undefined
  return pair?.flatMap((group) => [group >> 8, group & 255]).join('.')
}

const isSixToFour = (first: number): boolean => first === 0x20_02
const isCarrier = (groups: readonly number[]): boolean => {
  const head = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  const isCompatible = head === '0:0:0:0:0:0' && (groups[6] ?? 0) > 0
  return CARRIERS.has(head) || head.startsWith('64:ff9b:1:') || isCompatible
}

/** RFC 4291, RFC 7915 and RFC 6052; `64:ff9b:1::/48` is for translators of one's own (RFC 8215). */
const CARRIERS: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'])

/** The eight groups of an IPv6 address in any spelling. */
function groupsOf(address: string): number[] {
  const host = new URL(`http://[${address.split('%')[0] ?? ''}]`).hostname.slice(1, -1)
  const [head = '', tail] = host.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/**
 * How to connect to a host, with the option of a request that refuses what its name leads to at that moment: a name that leads
 * elsewhere than it did before is refused too. A literal address, which is never looked up, is checked here: throws
 * `AddressRefused`.
 */
export function guarded(
  { hostname }: Pick<URL, 'hostname'>,
  allowLoopback: boolean,
): { readonly lookup: LookupFunction } {
  const host = hostname.replace(/^\[|\]$/gu, '')
  if (isIP(host) !== 0) checkAddress(host, allowLoopback)
  return { lookup: guardedLookup(allowLoopback) }
}

const guardedLookup =
  (allowLoopback: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      try {
        for (const { address } of addresses) checkAddress(address, allowLoopback)
      } catch (refused) {
        return callback(asError(refused), '')
      }
      const [first] = addresses
      if (options.all === true) return callback(null, addresses)
      return callback(null, first?.address ?? '', first?.family)
    })
  }
