import { Link } from 'react-router'

import type { Answer } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { formText } from '../../ui/form-text.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { Sent } from '../client/use-sending.ts'
import { SendForm } from '../form/SendForm.tsx'
import { invite } from './invite.ts'
import { obstacleTo } from './invite-words.ts'

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
        {obstacle !== undefined && <Notice tone="warning">{obstacle}</Notice>}
        {invitations.letters === 'kept' && (
          <Notice tone="quiet">
            SEPTET_SMTP_URL is not set, so Septet cannot email the invitation. Copy its link from the{' '}
            <Link to="/settings/outbox" className="underline underline-offset-4">
              outbox
            </Link>{' '}
            and send it yourself.
          </Notice>
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
