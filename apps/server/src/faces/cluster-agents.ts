import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

import { Refusal, invalidInput, notAllowed, notReady } from '@septet/contract'
import { instant, type AgentStore, type Instant } from '@septet/domain'
import { duration } from '@septet/domain/words'
import {
  agentPath,
  bodyHash,
  MOST_PACKED,
  MOST_UNPACKED,
  readStatement,
  SIGNATURE_HEADER,
  STATEMENT_HEADER,
  type AgentAnswer,
  type Statement,
} from '@septet/plan-files'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type ClusterAgentNeeds = {
  readonly agents: AgentStore
  /** What the agent of a cluster signs with; undefined where none is to read it. */
  readonly agentKey: (cluster: string) => Promise<Uint8Array | undefined>
  readonly pollSeconds: number
  readonly now: () => number
}

/** How far the clocks of an agent and of Septet may be apart, and how long after a word another agent waits. */
const CLOCK_MS = 300_000
const LEASE_MS = 90_000
/** An agent that catches up sends a few dozen a second, one after the other. */
const REQUESTS = { points: 200, duration: 2 }
/** Who cannot sign has no reason to try again. */
const FORGERIES = { points: 60, duration: 60 }

/**
 * What agents inside clusters send: each request says whose it is in a signed statement, which is looked at before the
 * body is read. Readings are kept here as they came; the pipeline of their cluster unpacks and judges them.
 */
export function registerClusterAgents(server: FastifyInstance, needs: ClusterAgentNeeds): void {
  const limits = openLimits()
  void server.register(async (scope) => {
    const statements = new WeakMap<FastifyRequest, Statement>()
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_PACKED }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.addHook<{ Params: { cluster: string } }>('onRequest', async (request) => {
      await limits.ask(`${request.params.cluster} ${request.ip}`)
      statements.set(request, await statementOf(request, needs, limits))
      // Node answers a body that is too long only once it has come; its length is told before.
      if (Number(request.headers['content-length'] ?? 0) > MOST_PACKED) throw tooLarge()
    })
    scope.post<{ Params: { cluster: string } }>(agentPath(':cluster').replace('%3A', ':'), {
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store')
        const statement = statements.get(request)
        if (statement === undefined) throw unsigned(request.params.cluster)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        if (bodyHash(body) !== statement.body) throw altered()
        return hear(request.params.cluster, { statement, body }, needs)
      },
    })
  })
}

type Heard = { readonly statement: Statement; readonly body: Buffer }

async function hear(cluster: string, { statement, body }: Heard, needs: ClusterAgentNeeds): Promise<AgentAnswer> {
  const { agents, pollSeconds } = needs
  const { instance, host, version, time, at, after, hasInventory } = statement
  const visit = { instance, host, version, signedAt: time, now: instant(needs.now()), leaseMs: LEASE_MS }
  const admission = await agents.visit(cluster, visit)
  if (admission.kind === 'replayed') {
    throw notAllowed(
      'This request was already received, so it was ignored.',
      'Send each request once, with a later date than the one before.',
    )
  }
  if (admission.kind === 'held') {
    const { by } = admission
    throw notAllowed(
      `${cluster} has been read by the agent on ${by.host} since ${new Date(by.since).toISOString()}, so the agent on ${host} was refused.`,
      `Stop one of the two. Once ${by.host} has been silent for ${LEASE_MS / 1000} seconds, the other one takes over; until then it keeps its readings.`,
    )
  }
  const { received } = admission.agent
  const answer = async (newest: Instant): Promise<AgentAnswer> => ({
    received: newest,
    pollSeconds,
    wish: (await agents.wished(cluster)) ?? null,
  })
  if (statement.what === 'hello') return answer(received)
  if (statement.what === 'leave') {
    await agents.leave(cluster, instance)
    return answer(received)
  }
  if (statement.what === 'past') {
    await refuseBomb(body)
    const { wish, part: number } = statement
    if ((await agents.addPast(cluster, { wish, number, body })) === 'full') throw tooMuch(cluster, 5)
    return answer(received)
  }
  if (at > needs.now() + CLOCK_MS) throw otherClock(at, needs.now())
  await refuseBomb(body)
  const taken = await agents.take(cluster, { at, after, hasInventory, body })
  if (taken.kind === 'gap') {
    throw invalidInput(
      `The reading of ${timeText(at)} follows one of ${timeText(after)}, and the newest one stored is of ${timeText(taken.received)}.`,
      'Send a hello to learn the newest one, and continue from there.',
    )
  }
  if (taken.kind === 'full') throw tooMuch(cluster, 30)
  return answer(taken.received)
}

/** What the request says of itself. Throws a `Refusal` where it is not signed by the agent of the cluster. */
async function statementOf(
  request: FastifyRequest<{ Params: { cluster: string } }>,
  { agentKey, now }: ClusterAgentNeeds,
  limits: Limits,
): Promise<Statement> {
  const { cluster } = request.params
  const { [STATEMENT_HEADER]: said, [SIGNATURE_HEADER]: signature } = request.headers
  const from = `${cluster} ${request.ip}`
  await limits.mayForge([request.ip, from])
  const key = await agentKey(cluster)
  const isSaid = typeof said === 'string' && typeof signature === 'string'
  const statement = key === undefined || !isSaid ? undefined : readStatement(key, said, signature)
  if (statement === undefined) {
    await limits.forged(key === undefined ? request.ip : from)
    throw unsigned(cluster)
  }
  if (Math.abs(statement.time - now()) > CLOCK_MS) throw otherClock(statement.time, now())
  return statement
}

const unsigned = (cluster: string): Refusal =>
  new Refusal(
    'not-signed-in',
    `This agent’s token is not valid for ${cluster}: it was replaced, or that cluster is not read by an agent.`,
    'Create a new token in Settings → Clusters and start the agent with it; it then sends the readings it has kept.',
  )

const tooMuch = (cluster: string, retryAfter: number): Refusal =>
  notReady(`Septet has not yet processed what the agent of ${cluster} already sent.`, {
    words: 'Keep the rest and send it later.',
    retryAfter,
  })

const altered = (): Refusal =>
  notAllowed('The body does not match the signature, so it was rejected.', 'Send it as it was signed.')

const tooLarge = (): Refusal =>
  new Refusal(
    'too-large',
    `A reading takes at most ${MOST_PACKED / 1024 / 1024} MiB, and ${MOST_UNPACKED / 1024 / 1024} MiB unpacked.`,
    'Run the agent in the same version as Septet; connect a larger cluster directly.',
  )

function otherClock(theirs: number, ours: number): Refusal {
  const apart = duration(Math.round(Math.abs(theirs - ours) / 1000))
  return notAllowed(
    `The agent’s clock is ${apart} ${theirs > ours ? 'ahead of' : 'behind'} Septet’s: it says ${timeText(theirs)}.`,
    'Set the clocks of both machines, with NTP for example.',
  )
}

const timeText = (at: number): string => new Date(at).toISOString()

/** Counts what comes out and keeps nothing of it; off the main thread, as all of zlib. */
async function refuseBomb(body: Uint8Array): Promise<void> {
  let length = 0
  const counting = new Writable({
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length
      done(length > MOST_UNPACKED ? tooLarge() : null)
    },
  })
  try {
    await pipeline(Readable.from([body]), createGunzip({ chunkSize: 1024 * 1024 }), counting)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw invalidInput('The body is not compressed with gzip, or ends too early.', 'Send it again.')
  }
}

type Limits = ReturnType<typeof openLimits>

/** Counted in memory: several servers count apart. */
function openLimits() {
  const requests = new RateLimiterMemory(REQUESTS)
  const forgeries = new RateLimiterMemory(FORGERIES)
  return {
    ask: (key: string) => requests.consume(key).catch(tooMany),
    /** Looked at before a key is looked up. */
    mayForge: async (origins: readonly string[]) => {
      for (const origin of origins) {
        const spent = await forgeries.get(origin)
        if (spent !== null && spent.remainingPoints <= 0) tooMany(spent)
      }
    },
    forged: (origin: string) => forgeries.consume(origin).catch(tooMany),
  }
}

function tooMany(spent: unknown): never {
  if (!(spent instanceof RateLimiterRes)) throw spent
  throw new Refusal('too-many-requests', 'Too many agent requests came from this address.', {
    words: 'Wait as long as the header "retry-after" says.',
    retryAfter: spent.msBeforeNext / 1000,
  })
}
