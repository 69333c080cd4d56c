import { asError, errorText, plural } from '@septet/domain/words'
import { type Instant, instant, type Problem, type TelemetryReader, type TelemetryReading } from '@septet/domain'
import { type DeviceFold, openDeviceFold } from '../dcgm/fold-devices.ts'
import { openScaleMemory } from '../dcgm/scale-memory.ts'
import { TelemetryError } from '../dcgm/telemetry-error.ts'
import { boundedGet, type BoundedGet, type Tls, plain, inParallel } from '../http/bounded-get.ts'
import { type Known, knownTarget, missed, scrape, type Scraped, targetState } from './scrape-target.ts'
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

/** Above so many exporters with the same trouble, one sentence speaks for all of them. */
const NAMED_AT_MOST = 5

/** What was wrong in one round of scrapes, in words; at most a handful of sentences however many exporters failed. */
function targetProblems(scraped: readonly Scraped[]): Problem[] {
  const failed = scraped.filter((one) => one.error !== undefined)
  const well = scraped.length - failed.length
  return [
    ...gather(
      failed,
      'target-failed',
      (one) => `${one.error?.message ?? ''} The other ${plural(well, 'exporter is', 'exporters are')} read.`,
    ),
    ...gather(
      scraped.filter((one) => one.cut !== undefined || one.summary?.truncated === true),
      'exposition-cut',
      (one) =>
        one.cut === 'too-large'
          ? `${place(one)} answers with more than is read at once; what came first is used. Export fewer metrics there.`
          : `${place(one)} broke off in the middle of its answer; the complete lines are used. It may have been restarting.`,
    ),
    ...gather(
      scraped.filter((one) => (one.summary?.malformed ?? 0) > 0),
      'exposition-malformed',
      (one) =>
        `${place(one)} has ${one.summary?.malformed} lines that are not metrics, the first at line ` +
        `${one.summary?.firstMalformed}; all others are used. Check what is listening there.`,
    ),
  ]
}

function gather(found: readonly Scraped[], code: string, sentence: (one: Scraped) => string): Problem[] {
  const named = found.slice(0, NAMED_AT_MOST).map((one) => ({ code, message: sentence(one), object: object(one) }))
  const rest = found.length - named.length
  if (rest === 0) return named
  const message = `${rest} more exporters have the same trouble (${code}).`
  return [...named, { code, message, object: 'telemetry' }]
}

const object = ({ known }: Scraped): string => `target/${plain(known.target.url)}`

const place = ({ known }: Scraped): string =>
  known.node === undefined ? plain(known.target.url) : `The exporter on node ${known.node}`
