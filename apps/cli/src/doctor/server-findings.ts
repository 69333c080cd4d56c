import { aboutGet, clustersList, pricesUsed, sessionMe, summaryGet, type OutputOf } from '@septet/contract'
import { duration, errorText } from '@septet/domain/words'
import { z } from 'zod'

import { AskError } from '../served/ask-server.ts'
import { askOperation } from '../served/ask-operation.ts'
import { isLoopbackUrl, type ServerToAsk } from '../served/server-to-ask.ts'
import { clockFindings, SET_PRICE, type Symptom } from './finding.ts'

export type ServerNeeds = { readonly now: () => number; readonly version: string }

/** Looks at a Septet that runs: the way to it, who it takes us for, its database, its clusters. Never throws. */
export async function serverFindings(whom: ServerToAsk, needs: ServerNeeds): Promise<readonly Symptom[]> {
  const way = await wayTo(whom, needs)
  if (way.some(({ state }) => state === 'fail')) return way
  const token = await tokenFindings(whom, needs)
  if (token.some(({ state }) => state === 'fail')) return [...way, ...token]
  return [...way, ...token, ...(await databaseFindings(whom)), ...(await clustersFindings(whom))]
}

async function wayTo(whom: ServerToAsk, { now, version }: ServerNeeds): Promise<readonly Symptom[]> {
  const { server } = whom
  const area = 'server'
  try {
    const answer = await fetch(new URL('/healthz', server), { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    const ahead = Date.parse(answer.headers.get('date') ?? '') - now()
    await answer.arrayBuffer()
    // Who it is must be known before anything secret is sent.
    const about = await askOperation(aboutGet, {}, { server, token: undefined })
    return [
      { area, state: 'ok', said: `${server.origin} runs Septet ${about.version}.` },
      ...(about.version === version ? [] : [otherVersion(about.version, version)]),
      ...(server.protocol === 'http:' && !isLoopbackUrl(server.hostname) ? [plainHttp] : []),
      ...clockFindings('clock', 'the server', ahead),
    ]
  } catch (error) {
    return [{ area, state: 'fail', said: `${server.origin}: ${reasonOf(error)}`, todo: todoOf(error) }]
  }
}

const otherVersion = (theirs: string, ours: string): Symptom => ({
  area: 'version',
  state: 'warn',
  said: `The server runs ${theirs} and this command line is ${ours}: commands that only one of them knows are refused.`,
  todo: 'Use the same version on both sides.',
})

const plainHttp: Symptom = {
  area: 'TLS',
  state: 'warn',
  said: 'The address is http://: anyone on the network path can read the token and impersonate the server.',
  todo: 'Put a proxy with a certificate before Septet and use https://.',
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'something answers there that is not Septet.'
  if (error instanceof AskError && error.status !== undefined) return 'something answers there that is not Septet.'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? `${cause.message}.` : String(cause)
}

function todoOf(error: unknown): string {
  const reason = reasonOf(error)
  if (/certificate|self.signed/iu.test(reason)) {
    return 'Name the authority that signed it in NODE_EXTRA_CA_CERTS, or renew the certificate.'
  }
  if (reason.includes('not Septet')) return 'Check the address, its port, and which service is behind it.'
  return 'Check the address and that Septet runs; from outside the cluster, the Ingress or port-forward too.'
}

const EXPIRES_SOON_MS = 14 * 86_400_000

async function tokenFindings(whom: ServerToAsk, { now }: ServerNeeds): Promise<readonly Symptom[]> {
  const area = 'token'
  try {
    const me = await askOperation(sessionMe, {}, whom)
    if (me.kind === 'visitor') {
      const said = 'You are not signed in, so you can see the demo only.'
      return [{ area, state: 'warn', said, todo: 'Sign in with septet login, or set SEPTET_TOKEN.' }]
    }
    const limits = me.namespaces === null ? '' : `, limited to ${me.namespaces.join(', ')}`
    const left = Date.parse(me.expiresAt ?? '') - now()
    return [
      { area, state: 'ok', said: `You are ${me.name}, ${me.role}${limits}.` },
      ...(left < EXPIRES_SOON_MS ? [expiresSoon(left)] : []),
    ]
  } catch (error) {
    const refused = error instanceof AskError && error.status === 401
    const said = refused
      ? 'The server rejects the token: it was revoked, has expired, or belongs to another server.'
      : errorText(error)
    return [{ area, state: 'fail', said, todo: 'Make a new one under Settings → API tokens, then septet login.' }]
  }
}

const expiresSoon = (left: number): Symptom => ({
  area: 'token',
  state: 'warn',
  said: `It ends in ${duration(left / 1000)}.`,
  todo: 'Make a new one under Settings → API tokens, then septet login.',
})

const ReadySchema = z.object({ checks: z.object({ database: z.string() }) })

async function databaseFindings({ server, token }: ServerToAsk): Promise<readonly Symptom[]> {
  const area = 'database'
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(new URL('/readyz', server), {
      redirect: 'error',
      headers,
      signal: AbortSignal.timeout(10_000),
    })
    const { checks } = ReadySchema.parse(await answer.json())
    if (checks.database === 'ok') return [{ area, state: 'ok', said: 'It answers.' }]
    const said = `The database ${checks.database} Live figures still work; nothing new is stored.`
    return [{ area, state: 'fail', said, todo: 'Start it, or correct DATABASE_URL; Septet reconnects by itself.' }]
  } catch (error) {
    return [{ area, state: 'warn', said: `How the database is could not be asked: ${errorText(error)}` }]
  }
}

type ClusterView = OutputOf<typeof clustersList>['clusters'][number]

async function clustersFindings(whom: ServerToAsk): Promise<readonly Symptom[]> {
  try {
    const { clusters } = await askOperation(clustersList, {}, whom)
    const real = clusters.filter(({ kind }) => kind !== 'sample')
    if (real.length === 0) {
      const said = 'No cluster is connected: only sample data is shown.'
      return [
        {
          area: 'clusters',
          state: 'warn',
          said,
          todo: 'Add one under Settings → Clusters, or with septet add connection.',
        },
      ]
    }
    return (await Promise.all(real.map((cluster) => oneCluster(cluster, whom)))).flat()
  } catch (error) {
    return [{ area: 'clusters', state: 'fail', said: errorText(error) }]
  }
}

async function oneCluster(
  { id, name, state, serverVersion, problems }: ClusterView,
  whom: ServerToAsk,
): Promise<readonly Symptom[]> {
  const area = `cluster ${name}`
  if (state !== 'connected') {
    const why = problems.map((problem) => problem.message).join(' ')
    const said = `It is ${state}: the last inventory and stored figures stay. ${why}`.trim()
    return [
      {
        area,
        state: 'fail',
        said,
        todo: 'Test the connection under Settings → Clusters, or run septet doctor --kubeconfig FILE.',
      },
    ]
  }
  const well: Symptom = {
    area,
    state: 'ok',
    said: `It is connected and watched; Kubernetes ${serverVersion ?? '(version unknown)'}.`,
  }
  try {
    const [{ status }, { uses }] = await Promise.all([
      askOperation(summaryGet, { cluster: id }, whom),
      askOperation(pricesUsed, { cluster: id }, whom),
    ])
    const said = new Map([...problems, ...status.problems].map((problem) => [problem.message, problem.code]))
    return [
      well,
      ...[...said].map(([text, code]): Symptom => ({ area, state: 'warn', said: `${text} (${code})` })),
      ...unpriced(area, uses),
    ]
  } catch (error) {
    return [well, { area, state: 'warn', said: errorText(error) }]
  }
}

function unpriced(area: string, uses: OutputOf<typeof pricesUsed>['uses']): readonly Symptom[] {
  const models = new Set(uses.filter(({ usdPerGpuHour }) => usdPerGpuHour === null).map(({ model }) => model))
  return [...models].map((model) => ({
    area,
    state: 'warn',
    said: `${model} has no price, so what it costs is unknown.`,
    todo: SET_PRICE,
  }))
}
