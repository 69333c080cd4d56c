import { useState } from 'react'

import { tell } from '../../../api.ts'
import { Field } from '../../../ui/Field.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SendForm } from '../../form/SendForm.tsx'
import type { Sent } from '../../client/use-sending.ts'
import { ChoiceField } from '../../form/ChoiceField.tsx'

const KINDS = [
  {
    value: 'slack',
    label: 'Slack-compatible webhook',
    target: 'Webhook address',
    note: 'Works with Slack, Mattermost, Rocket.Chat and compatible webhooks.',
  },
  {
    value: 'webhook',
    label: 'Signed webhook',
    target: 'Webhook address',
    note: 'Septet creates a signing secret and shows it once.',
  },
  { value: 'email', label: 'E-mail', target: 'E-mail address', note: '' },
] as const

type Props = { readonly keepsMails: boolean; readonly made: (id: string, secret: string | null) => void }

/** Adds a channel, or replaces the one of that name. */
export function ChannelForm({ keepsMails, made }: Props) {
  const [value, setValue] = useState<string>('slack')
  const kind = KINDS.find((each) => each.value === value) ?? KINDS[0]
  const add = async (data: FormData, form: HTMLFormElement): Promise<Sent> => {
    const order = { id: formText(data, 'id').trim(), kind: kind.value, target: formText(data, 'target').trim() }
    const { secret } = await tell('channelsPut', order)
    form.reset()
    made(order.id, secret)
    return { done: `Saved ${order.id}. Send a test, then send it all rules or pick it in some.` }
  }
  return (
    <SendForm aria-label="Add a channel" className="mt-5 sm:grid-cols-2" send={add} submit="Add the channel">
      <ChoiceField label="Kind" value={kind.value} options={KINDS} onChange={setValue} />
      <Field
        label="Name"
        name="id"
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        title="Lowercase letters, digits and dashes"
        verbatim
        note="Saving an existing name replaces it."
      />
      <div className="sm:col-span-2">
        <Field
          label={kind.target}
          name="target"
          type={kind.value === 'email' ? 'email' : 'url'}
          required
          maxLength={2000}
          autoComplete="off"
          note={
            kind.value === 'email' && keepsMails
              ? 'No mail server is configured: emails stay in the outbox.'
              : kind.note
          }
        />
      </div>
    </SendForm>
  )
}
