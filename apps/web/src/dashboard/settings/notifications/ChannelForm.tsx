import { LIMITS } from 'virtual:limits/channelsPut'

import { tell, type Order } from '../../../api.ts'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'

type Channel = Order<'channelsPut'>

const KINDS = {
  slack: {
    words: 'Slack-compatible webhook',
    target: 'Webhook address',
    note: 'Works with Slack, Mattermost, Rocket.Chat and compatible webhooks.',
  },
  webhook: {
    words: 'Signed webhook',
    target: 'Webhook address',
    note: 'Septet creates a signing secret and shows it once.',
  },
  email: { words: 'E-mail', target: 'E-mail address', note: '' },
} as const satisfies Record<Channel['kind'], unknown>

const fieldsOf = ({ kind }: Channel, keepsMails: boolean): readonly FieldOf<Channel>[] => [
  { at: 'kind', label: 'Kind', choices: Object.entries(KINDS).map(([value, { words }]) => ({ value, words })) },
  {
    at: 'id',
    label: 'Name',
    note: 'Saving an existing name replaces it.',
  },
  {
    at: 'target',
    label: KINDS[kind].target,
    note:
      kind === 'email' && keepsMails ? 'No mail server is configured: emails stay in the outbox.' : KINDS[kind].note,
    input: { type: kind === 'email' ? 'email' : 'url' },
    wide: true,
  },
]

type Props = { readonly keepsMails: boolean; readonly made: (id: string, secret: string | null) => void }

/** Adds a channel, or replaces the one of that name. */
export const ChannelForm = ({ keepsMails, made }: Props) => (
  <SchemaForm
    aria-label="Add a channel"
    className="mt-5 sm:grid-cols-2"
    limits={LIMITS}
    value={{ id: '', kind: 'slack', target: '' }}
    fields={(draft: Channel) => fieldsOf(draft, keepsMails)}
    submit="Add the channel"
    repeats
    send={async (order: Channel) => {
      made(order.id, (await tell('channelsPut', order)).secret)
      return { done: `Saved ${order.id}. Send a test, then send it all rules or pick it in some.` }
    }}
  />
)
