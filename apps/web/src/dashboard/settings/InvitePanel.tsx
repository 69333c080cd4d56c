import { Link } from 'react-router'

import type { Answer } from '../../api.ts'
import { authorizedFetch } from '../../session/authorized-fetch.ts'
import { Field } from '../../ui/Field.tsx'
import { NoticeBox } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { formText } from '../../ui/form-text.ts'
import type { Sent } from '../client/use-sending.ts'
import { SendForm } from '../form/SendForm.tsx'

type Members = Pick<Answer<'membersList'>, 'authorized' | 'invitations'>

/** Brings somebody in by an email. What a setting keeps from working is said before anything is typed. */
export function InvitePanel({ members, invited }: { readonly members: Members; readonly invited: () => void }) {
  const { authorized, invitations } = members
  const obstacle = obstacleTo(members)
  const send = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const email = formText(data, 'email').trim()
    const problem = await invite(email)
    if (problem !== undefined) return { problem }
    invited()
    form.reset()
    return { done: DONE[invitations.letters](email) }
  }
  if (invitations.letters === 'hosted') {
    return (
      <Panel title="Invite">
        <p className="max-w-2xl text-13 text-ink-soft">
          Accounts are hosted in another project: invite people there, then set their roles below.
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="Invite">
      <div className="grid gap-3">
        {obstacle !== undefined && <NoticeBox tone="warning">{obstacle}</NoticeBox>}
        {invitations.letters === 'kept' && (
          <NoticeBox tone="quiet">
            SEPTET_SMTP_URL is not set, so Septet cannot email the invitation. Copy its link from the{' '}
            <Link to="/settings/outbox" className="underline underline-offset-4">
              outbox
            </Link>{' '}
            and send it yourself.
          </NoticeBox>
        )}
        {authorized.length > 1 && (
          <SendForm send={send} submit="Invite">
            <Field
              label="Email"
              name="email"
              type="email"
              required
              verbatim
              note={`Allowed by SEPTET_AUTHORIZED_EMAIL: ${authorized.slice(1).join(', ')}. The link expires in an hour.`}
            />
          </SendForm>
        )}
      </div>
    </Panel>
  )
}

const DONE = {
  sent: (email: string) => `${email} is invited.`,
  kept: (email: string) => `The invitation for ${email} is in the outbox.`,
  hosted: (email: string) => `${email} is invited.`,
} satisfies Record<Members['invitations']['letters'], (email: string) => string>

/** The setting that keeps an invitation from working, and what to set; undefined when none does. */
function obstacleTo({
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

/** Invites an address by a letter; what stands in the way, or undefined when nothing did. Throws when nobody answers. */
async function invite(email: string): Promise<string | undefined> {
  const redirectTo = encodeURIComponent(`${location.origin}/dashboard`)
  const answer = await authorizedFetch(`/auth/v1/invite?redirect_to=${redirectTo}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ email }),
  })
  return answer.ok ? undefined : problemOf(email, await answer.json().catch(() => undefined))
}

function problemOf(email: string, body: unknown): string {
  const { code, message } = isProblem(body) ? body : { code: '', message: 'The invitation failed. Try again.' }
  return WORDS[code]?.(email) ?? message
}

/** Where the protocol's own words leave open what to do. */
const WORDS: Readonly<Record<string, (email: string) => string>> = {
  email_address_not_authorized: (email) =>
    `SEPTET_AUTHORIZED_EMAIL does not allow ${email}. Add the address, restart Septet, then invite.`,
  email_exists: (email) => `${email} already has an account. Assign a role below if needed.`,
  insufficient_aal: () => 'Confirm your second factor first: sign out, then sign in again.',
}

const isProblem = (body: unknown): body is { readonly code: string; readonly message: string } =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'message' in body &&
  typeof body.message === 'string'
