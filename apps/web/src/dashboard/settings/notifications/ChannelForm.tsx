import { useId, useRef, useState } from 'react'

import { tell } from '../../../api.ts'
import { Field } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { formText } from '../../../ui/form-text.ts'
import { SubmitButton } from '../../../ui/SubmitButton.tsx'
import { Problem } from '../Problem.tsx'
import { useSending } from '../use-sending.ts'

const KINDS = [
  {
    value: 'slack',
    words: 'Slack-compatible webhook',
    target: 'Webhook address',
    note: 'Also Mattermost, Rocket.Chat and others that take the same.',
  },
  {
    value: 'webhook',
    words: 'Webhook with a signature',
    target: 'Webhook address',
    note: 'A signing secret is made and shown once.',
  },
  { value: 'email', words: 'E-mail', target: 'E-mail address', note: '' },
] as const

type Props = { readonly keepsMails: boolean; readonly made: (id: string, secret: string | null) => void }

/** Adds a channel, or replaces the one of that name. */
export function ChannelForm({ keepsMails, made }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [value, setValue] = useState<string>('slack')
  const kind = KINDS.find((each) => each.value === value) ?? KINDS[0]
  const { busy, problem, run } = useSending()
  const add = (data: FormData): Promise<void> =>
    run(async () => {
      const order = { id: formText(data, 'id').trim(), kind: kind.value, target: formText(data, 'target').trim() }
      const { secret } = await tell('channelsPut', order)
      form.current?.reset()
      made(order.id, secret)
      return { done: `${order.id} is set. Send a test, then name it in the rules.` }
    })
  return (
    <Form
      ref={form}
      aria-label="Add a channel"
      className="mt-5 grid max-w-3xl gap-4 sm:grid-cols-2"
      send={(data) => void add(data)}
    >
      <KindField kind={kind.value} choose={setValue} />
      <Field
        label="Name"
        name="id"
        required
        maxLength={63}
        pattern="[a-z0-9][a-z0-9\-]*"
        title="Small letters, digits and dashes"
        autoComplete="off"
        autoCapitalize="none"
        note="One that is there already is replaced."
      />
      <div className="sm:col-span-2">
        <Field
          label={kind.target}
          name="target"
          type={kind.value === 'email' ? 'email' : 'url'}
          required
          maxLength={2000}
          autoComplete="off"
          note={kind.value === 'email' && keepsMails ? 'No mail server is set: mails stay in the outbox.' : kind.note}
        />
      </div>
      <div className="grid justify-items-start gap-3 sm:col-span-2">
        <Problem words={problem} />
        <SubmitButton busy={busy}>Add the channel</SubmitButton>
      </div>
    </Form>
  )
}

type KindProps = { readonly kind: string; readonly choose: (kind: string) => void }

function KindField({ kind, choose }: KindProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-13 font-medium">
        Kind
      </label>
      <select
        id={id}
        value={kind}
        onChange={(event) => choose(event.currentTarget.value)}
        className="h-10 w-full rounded-control border border-(--free) bg-surface px-2.5 text-16 hover:border-ink-quiet sm:text-14"
      >
        {KINDS.map((each) => (
          <option key={each.value} value={each.value}>
            {each.words}
          </option>
        ))}
      </select>
    </div>
  )
}
