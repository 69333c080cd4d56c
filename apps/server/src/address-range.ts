import { isIP } from 'node:net'

/** Whether a text is an address or a range of addresses in CIDR form; one of all addresses is none. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  // A zone names an interface of this machine, which no range of addresses can hold.
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
