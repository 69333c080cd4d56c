import { createServer, type Server, type ServerResponse } from 'node:http'

import { OPERATIONS } from '@septet/contract'

import { serveBrowser } from '../browser.ts'
import { builtWeb } from '../built.ts'
import { installTools } from '../install-tools.ts'
import { eventually, newDataDir, removeDataDir, signIn, startSeptet, type SeptetProcess } from '../server-process.ts'

/** Something that is costly to start and that many test files use at the same time. */
type Started = { readonly told: unknown; stop(): Promise<unknown> }

/**
 * Anyone else who wants to be in has an address of this domain. Webhooks may go to this machine, as a test's receiver is
 * on it.
 */
const ENVIRONMENT = {
  SEPTET_AUTHORIZED_EMAIL: 'admin@septet.local, *@example.com',
  SEPTET_WEBHOOK_LOOPBACK: 'on',
  // It runs for as long as the tests do, and each reading takes some of what they could use.
  SEPTET_POLL_SECONDS: '3',
  SEPTET_RECOMMEND_SECONDS: '60',
}

/** What can be shared, by the path at which it is asked for. */
const SHARED: Readonly<Record<string, (historyDays: number) => Promise<Started>>> = {
  '/browser': async () => {
    const server = await serveBrowser()
    return { told: server.wsEndpoint(), stop: () => server.close() }
  },
  '/web': () => Promise.resolve({ told: builtWeb(), stop: () => Promise.resolve() }),
  '/tools': async () => ({ told: await installTools(), stop: () => Promise.resolve() }),
  '/demo': startDemo,
  '/without-demo': () => startShared({ ...ENVIRONMENT, SEPTET_DEMO: 'off' }),
  '/template': makeTemplate,
}

/** A data directory whose database is made and has the last day of the demo cluster: to copy it is quicker than that. */
async function makeTemplate(): Promise<Started> {
  const dataDir = await newDataDir()
  const septet = await startSeptet({ dataDir })
  await pastIsRead(septet)
  await septet.stop()
  return { told: dataDir, stop: () => removeDataDir(dataDir) }
}

/** Waits until the last day is known, and all else that is read of the past. */
async function pastIsRead(septet: Pick<SeptetProcess, 'url'>): Promise<void> {
  const headers = await signIn(septet)
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${septet.url}/api/v1/${path}`, { headers })).json()
  const trend = async () => OPERATIONS.utilizationTrend.output.parse(await ask('utilization?cluster=demo&range=24h'))
  await eventually(trend, ({ points }) => points.filter(({ busy }) => busy !== null).length >= 23)
  const clusters = async () => OPERATIONS.clustersList.output.parse(await ask('clusters')).clusters
  await eventually(clusters, (all) => all.every(({ history }) => history === null))
}

/**
 * The demo cluster once its past is read: those who ask all the while would keep it from being read, as whoever asks comes
 * first.
 */
async function startDemo(historyDays: number): Promise<Started> {
  const started = await startShared({ ...ENVIRONMENT, SEPTET_HISTORY_DAYS: String(historyDays) })
  try {
    await pastIsRead(started.told)
  } catch (error) {
    await started.stop()
    throw error
  }
  return started
}

async function startShared(environment: Readonly<Record<string, string>>) {
  const septet = await startSeptet({ environment })
  const { url, dataDir, pid } = septet
  const stop = async (): Promise<void> => {
    await septet.stop()
    await removeDataDir(dataDir)
  }
  return { told: { url, dataDir, pid }, stop }
}

export type Shared = { readonly url: string; close(): Promise<void> }

/**
 * Gives test files their shared things over HTTP; each is started when the first one asks for it. `historyDays`: how far
 * back the demo cluster's past is read.
 */
export async function openShared({ historyDays }: { readonly historyDays: number }): Promise<Shared> {
  const started = new Map<string, Promise<Started>>()
  const startOnce = (path: string): Promise<Started> => {
    const known = started.get(path) ?? start(path, historyDays)
    started.set(path, known)
    return known
  }
  const server = createServer((request, response) => {
    startOnce(request.url ?? '/').then(
      ({ told }) => response.end(JSON.stringify(told)),
      (error: unknown) => fail(response, error),
    )
  })
  const url = await listen(server)
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      server.close()
      const known = await Promise.allSettled(started.values())
      await Promise.all(known.filter((one) => one.status === 'fulfilled').map(({ value }) => value.stop()))
    },
  }
}

async function start(path: string, historyDays: number): Promise<Started> {
  const known = SHARED[path]
  if (known === undefined) throw new Error(`nothing that is shared is at ${path}`)
  return known(historyDays)
}

function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(500).end(error instanceof Error ? error.message : String(error))
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('What is shared has no port.')
  return `http://127.0.0.1:${address.port}`
}
