import type { Answer } from '../../api.ts'

/** The setting that keeps an invitation from working, and what to set; undefined when none does. */
export function obstacleTo({
  authorized,
  invitations: { address },
}: Pick<Answer<'membersList'>, 'authorized' | 'invitations'>): string | undefined {
  const [owner = '', ...others] = authorized
  if (others.length === 0) {
    return `SEPTET_AUTHORIZED_EMAIL allows only ${owner}. To invite others, set it to ${owner},ann@example.com or ${owner},*@example.com with their addresses, and restart Septet.`
  }
  if (!isLoopback(address)) return undefined
  return `SEPTET_PUBLIC_URL is not set, so the link of an invitation leads to ${address}, which only this machine reaches. Set it to the address that others use, and restart Septet.`
}

const isLoopback = (address: string): boolean =>
  /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/u.test(address)
