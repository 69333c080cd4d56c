import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'

import { tell, type Answer } from '../../../api.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Cell, Row, Table } from '../../../ui/Table.tsx'
import { dayTime } from '../../../ui/time-words.ts'
import { useAnswer } from '../../client/use-answer.ts'
import { Answered } from '../../panel/Answered.tsx'
import { AskedButton } from '../../form/AskedButton.tsx'
import { Problem } from '../../form/Problem.tsx'
import { useSending } from '../../client/use-sending.ts'
import { ChannelForm } from './ChannelForm.tsx'
import { AllRules } from './AllRules.tsx'

type Channel = Answer<'channelsList'>['channels'][number]
const KINDS = { slack: 'Slack-compatible', webhook: 'Webhook', email: 'E-mail' } satisfies Record<
  Channel['kind'],
  string
>

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
            {data.channels.length === 0 ? (
              <p className="py-2 text-13 text-ink-soft">
                No channels yet: alerts show only on the Alerts page. Add a channel, then send it all rules or pick it
                in some.
              </p>
            ) : (
              <Table caption="Notification channels" columns={['Name', 'Kind', 'Destination', 'Changed', '']}>
                {data.channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} />
                ))}
              </Table>
            )}
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
  const remove = (): Promise<void> =>
    run(async () => {
      await tell('channelsRemove', { id: channel.id })
      await refresh()
      return { done: `Removed ${channel.id}.` }
    })
  return (
    <Row>
      <Cell className="min-w-32 font-medium wrap-anywhere">{channel.id}</Cell>
      <Cell name="Kind" className="whitespace-nowrap">
        {KINDS[channel.kind]} {channel.signed && <Badge tone="secondary">signed</Badge>}
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
            question={`Remove ${channel.id}?`}
            consequence="Alerts are no longer sent there."
            busy={busy}
            send={() => void remove()}
          />
        </span>
        <Problem words={problem} />
      </Cell>
    </Row>
  )
}

type SecretProps = { readonly id: string; readonly secret: string; readonly close: () => void }

const SigningSecret = ({ id, secret, close }: SecretProps) => (
  <section
    aria-label={`The signing secret of ${id}`}
    className="enters mb-3 grid gap-3 rounded-card bg-busy-soft px-4 py-4 text-13"
  >
    <p>
      <span className="font-medium">{id} saved.</span> Copy this signing secret to the receiver now. It is shown only
      once. The receiver checks <code className="font-mono">webhook-signature</code> with it, as Standard Webhooks says.
    </p>
    <div className="flex flex-wrap items-center gap-2">
      <code className="rounded-control bg-surface px-2.5 py-1.5 font-mono break-all">{secret}</code>
      <CopyButton label="Copy" text={() => secret} />
      <Button onClick={close}>I saved it</Button>
    </div>
  </section>
)
