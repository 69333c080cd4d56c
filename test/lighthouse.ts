import { createServer } from 'node:net'

import lighthouse from 'lighthouse'
import type { Config, Result } from 'lighthouse'
import { z } from 'zod'

import { launchBrowser } from './browser.ts'

type Settings = NonNullable<Config['settings']>

/** Asks Lighthouse about pages, one after the other, in a browser of its own. */
export type Lighthouse = { report(url: string): Promise<Result>; close(): Promise<void> }

/** Lighthouse with its own preset, a phone of the middle class, and what of it is wanted. The caller closes it. */
export async function openLighthouse(settings: Settings): Promise<Lighthouse> {
  const port = await freePort()
  const browser = await launchBrowser(port)
  return {
    report: (url) => reportOf(url, { port, settings, tries: 3 }),
    close: () => browser.close(),
  }
}

type How = { readonly port: number; readonly settings: Settings; readonly tries: number }

async function reportOf(url: string, { port, settings, tries }: How): Promise<Result> {
  const outcome = await lighthouse(url, { port, logLevel: 'error' }, { extends: 'lighthouse:default', settings })
  if (outcome === undefined) throw new Error(`Lighthouse gave no report of ${url}`)
  const failure = failureOf(outcome.lhr)
  if (failure === undefined) return outcome.lhr
  // On a busy machine its recording may miss a part of the load; it says itself that it should be run again.
  if (tries > 1) return reportOf(url, { port, settings, tries: tries - 1 })
  throw new Error(`Lighthouse could not read ${url}: ${failure}`)
}

/** Why a report is not whole: of the page, or of one audit. */
function failureOf({ runtimeError, audits }: Result): string | undefined {
  const failed = Object.values(audits).find(({ scoreDisplayMode }) => scoreDisplayMode === 'error')
  return runtimeError?.message ?? failed?.errorMessage
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => void server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

const RequestsSchema = z.array(
  z.object({ url: z.string(), resourceType: z.string().optional(), transferSize: z.number() }),
)

/** What a page asked for while it loaded, with the bytes that came over the line. */
export function requestsOf({ audits }: Result): z.output<typeof RequestsSchema> {
  const details = audits['network-requests']?.details
  if (details?.type !== 'table') throw new Error('the report has no record of the network')
  return RequestsSchema.parse(details.items)
}
