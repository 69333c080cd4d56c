import { z } from 'zod'

import { InstantText } from './figure.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'

const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/u, 'must be lowercase letters, digits and dashes')
  .meta({ examples: ['gpu-team'] })
const ChannelKind = z.enum(['slack', 'webhook', 'email'])

const ChannelView = named('Channel', {
  id: Id,
  kind: ChannelKind,
  target: z.string().describe('the email address; for a webhook only the host, because the rest may be secret'),
  signed: z.boolean(),
  changedAt: InstantText,
  changedBy: z.string(),
})

export const channelsList = operation(ROUTES.channelsList, {
  title: 'Notification channels',
  description: 'Where alerts are sent: Slack-compatible webhooks, signed webhooks, email. Secrets are never returned.',
  input: z.strictObject({}),
  output: named('ChannelList', {
    channels: z.array(ChannelView),
    keepsMails: z.boolean().describe('no mail server is configured: emails stay in the outbox'),
  }),
})

export const channelsPut = operation(ROUTES.channelsPut, {
  title: 'Add or change a channel',
  description:
    'A generic webhook gets a new signing secret, shown once: HMAC-SHA-256 over ID, timestamp and body, following the Standard Webhooks specification. Link-local and metadata addresses are refused, and so is loopback unless the installation allows it.',
  input: z.strictObject({
    id: Id,
    kind: ChannelKind,
    target: z.string().trim().min(3).max(2000).describe('an http(s) URL, or one email address'),
  }),
  output: named('ChannelSet', {
    channel: ChannelView,
    secret: z.string().nullable().describe('shown once; null for other kinds'),
  }),
})

export const channelsRemove = operation(ROUTES.channelsRemove, {
  title: 'Remove a channel',
  description: 'Nothing more is sent to it; pending messages are dropped.',
  input: z.strictObject({ id: Id }),
  output: named('ChannelRemoved', { removed: z.string() }),
})

const DeliveryView = named('Delivery', {
  id: z.string(),
  channel: z.string(),
  cluster: z.string(),
  about: z.enum(['firing', 'resolved', 'test']),
  title: z.string(),
  createdAt: InstantText,
  state: z.enum(['waiting', 'delivered', 'failed']),
  nextAt: InstantText.nullable(),
  attempts: z.array(
    z.object({
      attempt: z.number().int(),
      at: InstantText,
      outcome: z.enum(['delivered', 'failed']),
      status: z.number().int().nullable().describe('HTTP status; null if there was no response'),
      detail: z.string(),
      tookMs: z.number(),
    }),
  ),
})
export type DeliveryView = z.output<typeof DeliveryView>

export const channelsTest = operation(ROUTES.channelsTest, {
  title: 'Send a test',
  description: 'Sends one message that is marked as a test, and waits up to 15 seconds for the result.',
  input: z.strictObject({ id: Id }),
  output: named('ChannelTested', { delivery: DeliveryView }),
})

export const deliveriesList = operation(ROUTES.deliveriesList, {
  title: 'Delivery log',
  description: 'Every message and every delivery attempt, newest first.',
  input: z.strictObject({
    channel: Id.optional(),
    state: z.enum(['waiting', 'delivered', 'failed']).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: named('DeliveryList', { deliveries: z.array(DeliveryView) }),
})

export const deliveriesRedeliver = operation(ROUTES.deliveriesRedeliver, {
  title: 'Deliver again',
  description: 'Sends a message again with the same ID, and waits up to 15 seconds for the result.',
  input: z.strictObject({ id: z.string().min(1).max(100) }),
  output: named('Redelivered', { delivery: DeliveryView }),
})
