import { setTimeout as delay } from 'node:timers/promises'

import { instant, type Instant } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { packReading } from '@septet/plan-files'

import type { Environment } from '../served/kept-servers.ts'
import { openAgentClient } from './agent-client.ts'
import { AGENT_HELP, readAgentOptions, type AgentOptions } from './agent-options.ts'
import { AgentReader, type AgentConnections } from './agent-reader.ts'
import { AgentSender } from './agent-sender.ts'
import { PastSender } from './past-sender.ts'
import { openReadingBuffer, type ReadingBuffer } from './reading-buffer.ts'

export type AgentNeeds = {
  readonly environment: Environment
  readonly host: string
  readonly version: string
  readonly connect: (options: AgentOptions, say: (sentence: string) => void) => AgentConnections
  readonly say: (sentence: string) => void
  readonly stopping: AbortSignal
}

/** Before Septet has said how often it wants readings. */
const POLL_SECONDS = 15

/** `septet agent`, until it is stopped. Throws a `UsageError`. */
export async function runAgent(args: readonly string[], needs: AgentNeeds): Promise<string> {
  if (args.includes('--help')) return `${AGENT_HELP}\n`
  const options = await readAgentOptions(args, needs.environment)
  const buffer = await openReadingBuffer(options.folder, options.mostBytes)
  try {
    await run(options, buffer, needs)
  } finally {
    await buffer.close()
  }
  return ''
}

async function run(options: AgentOptions, buffer: ReadingBuffer, needs: AgentNeeds): Promise<void> {
  const { host, version, connect, say, stopping } = needs
  const { server, token } = options
  if (server.startsWith('http:')) say(`${server} is not encrypted, so what is sent can be read on the way. Use https.`)
  const connections = connect(options, say)
  // It goes on trying; its state is part of every reading.
  connections.reader.start().catch((error: unknown) => say(errorText(error)))
  let pollSeconds = POLL_SECONDS
  const who = { instance: buffer.instance, host, version }
  const client = openAgentClient({ server, token, who, clock: Date.now })
  const past = new PastSender({ client, history: connections.history, say, stopping })
  const sender = new AgentSender({
    client,
    buffer,
    clock: Date.now,
    random: Math.random,
    say,
    wanted: ({ pollSeconds: seconds, wish }) => {
      pollSeconds = seconds
      past.wanted(wish)
    },
  })
  const sending = sender.run(stopping)
  const reader = new AgentReader(connections)
  let newest = buffer.newest()
  const readOnce = async (): Promise<void> => {
    newest = instant(Math.max(newest, sender.received()))
    const reading = await reader.read(() => instant(Date.now()), pollSeconds, buffer.waiting().lost)
    if (reading.at <= newest) return say(clockWords(reading.at, newest))
    newest = reading.at
    await buffer.add({
      at: reading.at,
      hasInventory: reading.inventory !== undefined,
      packed: await packReading(reading),
    })
    sender.nudge()
  }
  while (!stopping.aborted) {
    const started = performance.now()
    await readOnce().catch((error: unknown) => say(`A reading could not be kept: ${errorText(error)}`))
    const rest = Math.max(0, pollSeconds * 1000 - (performance.now() - started))
    await delay(rest, undefined, { signal: stopping }).catch(() => undefined)
  }
  await sending
  await Promise.all([connections.reader.stop(), connections.telemetry?.close()])
}

const clockWords = (now: Instant, newest: Instant): string =>
  `The clock was set back: it says ${new Date(now).toISOString()}, and there is a reading of ${new Date(newest).toISOString()}. Nothing is read until it has passed that.`
