import { createServer } from 'node:net'

import { z } from 'zod'

import { launchBrowser } from './browser.ts'
import { importTool } from './install-tools.ts'

/** What is asked for, in Lighthouse's words. */
type Settings = {
  readonly onlyCategories: readonly string[]
  readonly onlyAudits?: readonly string[]
  readonly disableFullPageScreenshot: boolean
  readonly extraHeaders?: Readonly<Record<string, string>>
}

const AuditSchema = z.looseObject({
  title: z.string(),
  score: z.number().nullable(),
  scoreDisplayMode: z.string(),
  numericValue: z.number().optional(),
  errorMessage: z.string().optional(),
  // A checklist has its items by name.
  details: z.looseObject({ type: z.string(), items: z.array(z.unknown()).optional().catch(undefined) }).optional(),
})
const CategorySchema = z.object({
  score: z.number().nullable(),
  auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
})
const ReportSchema = z.object({
  finalDisplayedUrl: z.string(),
  runtimeError: z.object({ message: z.string() }).optional(),
  audits: z.record(z.string(), AuditSchema),
  categories: z.record(z.string(), CategorySchema),
})
/** What of a report is looked at. */
export type Report = z.output<typeof ReportSchema>

type Run = (url: string, flags: object, config: object) => Promise<{ readonly lhr: unknown } | undefined>
const LighthouseSchema = z.object({ default: z.custom<Run>((value) => typeof value === 'function') })

/** Asks Lighthouse about pages, one after the other, in a browser of its own. */
export type Lighthouse = { report(url: string): Promise<Report>; close(): Promise<void> }

/**
 * Lighthouse with its own preset, a phone of the middle class, and what of it is wanted. `tools` is the folder that holds
 * it. The caller closes it.
 */
export async function openLighthouse(tools: string, settings: Settings): Promise<Lighthouse> {
  const { default: run } = LighthouseSchema.parse(await importTool(tools, 'lighthouse/core/index.js'))
  const port = await freePort()
  const browser = await launchBrowser(port)
  return {
    report: (url) => reportOf(url, { run, port, settings, tries: 3 }),
    close: () => browser.close(),
  }
}

type How = { readonly run: Run; readonly port: number; readonly settings: Settings; readonly tries: number }

async function reportOf(url: string, { run, port, settings, tries }: How): Promise<Report> {
  const outcome = await run(url, { port, logLevel: 'error' }, { extends: 'lighthouse:default', settings })
  if (outcome === undefined) throw new Error(`Lighthouse gave no report of ${url}`)
  const report = ReportSchema.parse(outcome.lhr)
  const failure = failureOf(report)
  if (failure === undefined) return report
  // On a busy machine its recording may miss a part of the load; it says itself that it should be run again.
  if (tries > 1) return reportOf(url, { run, port, settings, tries: tries - 1 })
  throw new Error(`Lighthouse could not read ${url}: ${failure}`)
}

/** Why a report is not whole: of the page, or of one audit. */
function failureOf({ runtimeError, audits }: Report): string | undefined {
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
export function requestsOf({ audits }: Report): z.output<typeof RequestsSchema> {
  const details = audits['network-requests']?.details
  if (details?.type !== 'table') throw new Error('the report has no record of the network')
  return RequestsSchema.parse(details.items)
}
