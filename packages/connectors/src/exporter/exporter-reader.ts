import { asError, errorText, plural } from '@septet/domain/words'
import { type Instant, instant, type Problem, type TelemetryReader, type TelemetryReading } from '@septet/domain'

import { type DeviceFold, openDeviceFold } from '../dcgm/fold-devices.ts'
import { openScaleMemory } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { boundedGet, type BoundedGet, type Tls } from '../http/bounded-get.ts'
import { inParallel } from '../http/in-parallel.ts'
import { type Known, knownTarget, missed, scrape, type Scraped, targetState } from './scrape-target.ts'
import { targetProblems } from './target-problems.ts'
import { type ExporterTarget, findTargets, type TargetSource } from './targets.ts'

export type ExporterReaderOptions = {
  readonly targets: TargetSource
  /** For one scrape, milliseconds. */
  readonly timeoutMs?: number
  /** Scrapes at the same time. */
  readonly concurrency?: number
  /** More of one exporter's answer is not read, bytes. */
  readonly maximumBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly tls?: Tls
  readonly clock?: () => number
  readonly get?: BoundedGet
}

/**
 * Reads dcgm-exporter directly, every node at each `read`. One bad exporter never spoils the others: it becomes a
 * target that is `stale`, and `down` from the third failure on. Throws only when no exporter at all answered.
 */
export function openExporterReader(options: ExporterReaderOptions): TelemetryReader {
  const given = { ...DEFAULTS, ...options }
  const scales = openScaleMemory()
  const stop = new AbortController()
  let known = new Map<string, Known>()
  let found: readonly ExporterTarget[] = []

  const refresh = async (): Promise<Problem[]> => {
    try {
      found = await findTargets(given.targets, given)
      return []
    } catch (error) {
      const message = errorText(error)
      if (found.length === 0) throw error
      const still = `The ${plural(found.length, 'exporter known so far is', 'exporters known so far are')} still read.`
      return [{ code: 'target-discovery-failed', message: `${message} ${still}`, object: 'telemetry' }]
    }
  }

  const read = async (): Promise<TelemetryReading> => {
    const problems = await refresh()
    const at = instant(given.clock())
    known = new Map(found.map((target) => [target.url, known.get(target.url) ?? knownTarget(target)]))
    const fold = openDeviceFold(scales)
    const targets = [...known.values()]
    const scraped = await inParallel(targets, given.concurrency, (target) =>
      attempt(target, { fold, at, given, signal: stop.signal }),
    )
    if (targets.length > 0 && scraped.every((one) => one.error !== undefined)) throw nothingRead(scraped)
    const folded = fold.finish(at)
    return {
      at,
      samples: folded.samples,
      targets: targets.map(targetState),
      problems: [...problems, ...targetProblems(scraped), ...folded.problems],
    }
  }
  return {
    read,
    close: () => {
      stop.abort()
      return Promise.resolve()
    },
  }
}

const DEFAULTS = {
  timeoutMs: 10_000,
  concurrency: 16,
  maximumBytes: 32 * 1024 * 1024,
  clock: Date.now,
  get: boundedGet,
}

type Attempt = {
  readonly fold: DeviceFold
  readonly at: Instant
  readonly given: typeof DEFAULTS & ExporterReaderOptions
  readonly signal: AbortSignal
}

async function attempt(target: Known, { fold, at, given, signal }: Attempt): Promise<Scraped> {
  const { headers, tls, timeoutMs, maximumBytes } = given
  try {
    const answer = await given.get({
      url: target.target.url,
      headers: { accept: 'text/plain;version=0.0.4', ...headers },
      timeoutMs,
      maximumBytes,
      signal,
      ...(tls === undefined ? {} : { tls }),
    })
    return scrape(target, answer, { fold, at })
  } catch (error) {
    return missed(target, asError(error))
  }
}

function nothingRead(scraped: readonly Scraped[]): TelemetryError {
  const [first] = scraped
  const error = first?.error
  const code = error instanceof TelemetryError ? error.code : 'unreachable'
  const none =
    scraped.length === 1 ? 'The exporter gave no samples' : `None of the ${scraped.length} exporters gave samples`
  return new TelemetryError(code, `${none}. ${error?.message ?? ''} What was read before stays valid.`, {
    cause: error,
  })
}
