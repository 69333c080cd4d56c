import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from 'virtual:limits/channelsPut'

import { type Answer, type Order, tell } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { useCommand } from '../../client/use-command.ts'
import { useSending } from '../../client/use-sending.ts'
import { AskedButton } from '../../form/AskedButton.tsx'
import { ProblemBox } from '../../form/Problem.tsx'
import type { FieldOf } from '../../form/SchemaFields.tsx'
import { SchemaForm } from '../../form/SchemaForm.tsx'
import { Answered } from '../../panel/Answered.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { RULE_KINDS, toldTo } from './rule-words.ts'

type Channel = Answer<'channelsList'>['channels'][number]

/** Where alerts are sent. */
export function ChannelsPanel() {
  const channels = useAnswer('channelsList', {})
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  return (
    <Panel title="Channels">
      {made !== undefined && <SigningSecret key={made.secret} {...made} close={() => setMade(undefined)} />}
      <Answered answer={channels}>
        {(data) => (
          <>
            <Table
              caption="Notification channels"
              columns={['Name', 'Kind', 'Destination', 'Changed', '']}
              empty="No channels yet: alerts show only on the Alerts page. Add a channel, then send it all rules or pick it in some."
            >
              {data.channels.map((channel) => (
                <ChannelRow key={channel.id} channel={channel} />
              ))}
            </Table>
            <h3 className="mt-4 border-t border-line pt-4 text-13 font-semibold">Add a channel</h3>
            <ChannelForm
              keepsMails={data.keepsMails}
              made={(id, secret) => {
                setMade(secret === null ? undefined : { id, secret })
                void channels.refetch()
              }}
            />
          </>
        )}
      </Answered>
    </Panel>
  )
}

function ChannelRow({ channel }: { readonly channel: Channel }) {
  const queries = useQueryClient()
  const { busy, problem, run } = useSending()
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['deliveriesList'] })
    await queries.invalidateQueries({ queryKey: ['channelsList'] })
  }
  const remove = useCommand('channelsRemove', { after: refresh, done: ({ id }) => `Removed ${id}.` })
  const test = (): Promise<void> =>
    run(async () => {
      const { delivery } = await tell('channelsTest', { id: channel.id })
      await refresh()
      const last = delivery.attempts.at(-1)
      if (delivery.state === 'delivered') return { done: `Test delivered to ${channel.id}.` }
      return {
        problem: `Test to ${channel.id} failed: ${last?.status ?? ''} ${last?.detail ?? 'no response yet'}`.trim(),
      }
    })
  return (
    <Row>
      <Cell className="min-w-32 font-medium wrap-anywhere">{channel.id}</Cell>
      <Cell name="Kind" className="whitespace-nowrap">
        {KINDS[channel.kind].name} {channel.signed && <Badge tone="secondary">signed</Badge>}
      </Cell>
      <Cell name="Destination" className="min-w-32 font-mono text-12 wrap-anywhere">
        {channel.target}
      </Cell>
      <Cell name="Changed" className="text-ink-soft">
        {dayTime(channel.changedAt)} by {channel.changedBy}
      </Cell>
      <Cell className="pr-0 max-sm:pt-2">
        <span className="flex flex-wrap justify-end gap-2 max-sm:justify-start">
          <Button disabled={busy} aria-label={`Send a test to ${channel.id}`} onClick={() => void test()}>
            Send a test
          </Button>
          <AllRules channel={channel.id} />
          <AskedButton
            verb="Remove"
            label={`Remove ${channel.id}`}
            consequence="Alerts are no longer sent there."
            busy={remove.busy}
            send={() => remove.send({ id: channel.id })}
          />
        </span>
        <ProblemBox words={problem ?? remove.problem} />
      </Cell>
    </Row>
  )
}

type SecretProps = { readonly id: string; readonly secret: string; readonly close: () => void }

const SigningSecret = ({ id, ...shown }: SecretProps) => (
  <ShownOnce {...shown} label={`The signing secret of ${id}`}>
    <p>
      <span className="font-medium">{id} saved.</span> Copy this signing secret to the receiver now. It is shown only
      once. The receiver checks <code className="font-mono">webhook-signature</code> with it, as Standard Webhooks says.
    </p>
  </ShownOnce>
)

/** Names a channel in all rules at once; gone once it is in all of them. */
function AllRules({ channel }: { readonly channel: string }) {
  const queries = useQueryClient()
  const rules = useAnswer('alertRulesGet', {}).data?.rules
  const { busy, problem, send } = useCommand('alertRulesPut', {
    after: async () => {
      await queries.invalidateQueries({ queryKey: ['alertRulesGet'] })
      await queries.invalidateQueries({ queryKey: ['alertsPrometheusRule'] })
    },
    done: () => `Every rule now notifies ${channel}.`,
  })
  if (rules === undefined || RULE_KINDS.every((kind) => rules[kind].channels.includes(channel))) return undefined
  return (
    <>
      <Button
        disabled={busy}
        aria-label={`Send all rules to ${channel}`}
        onClick={() => send({ rules: toldTo(rules, channel) })}
      >
        Send it all rules
      </Button>
      <ProblemBox words={problem} />
    </>
  )
}

type NewChannel = Order<'channelsPut'>

const KINDS = {
  slack: {
    name: 'Slack-compatible',
    words: 'Slack-compatible webhook',
    target: 'Webhook address',
    note: 'Works with Slack, Mattermost, Rocket.Chat and compatible webhooks.',
  },
  webhook: {
    name: 'Webhook',
    words: 'Signed webhook',
    target: 'Webhook address',
    note: 'Septet creates a signing secret and shows it once.',
  },
  email: { name: 'E-mail', words: 'E-mail', target: 'E-mail address', note: '' },
} as const satisfies Record<NewChannel['kind'], unknown>

const fieldsOf = ({ kind }: NewChannel, keepsMails: boolean): readonly FieldOf<NewChannel>[] => [
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
const ChannelForm = ({ keepsMails, made }: Props) => (
  <SchemaForm
    aria-label="Add a channel"
    className="mt-5 sm:grid-cols-2"
    limits={LIMITS}
    value={{ id: '', kind: 'slack', target: '' }}
    fields={(draft: NewChannel) => fieldsOf(draft, keepsMails)}
    submit="Add the channel"
    repeats
    send={async (order: NewChannel) => {
      made(order.id, (await tell('channelsPut', order)).secret)
      return { done: `Saved ${order.id}. Send a test, then send it all rules or pick it in some.` }
    }}
  />
)
