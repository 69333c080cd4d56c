import { plural } from '@septet/domain/words'
import type { Problem } from '@septet/domain'

import { plain } from '../http/bounded-get.ts'
import type { Scraped } from './scrape-target.ts'

/** Above so many exporters with the same trouble, one sentence speaks for all of them. */
const NAMED_AT_MOST = 5

/** What was wrong in one round of scrapes, in words; at most a handful of sentences however many exporters failed. */
export function targetProblems(scraped: readonly Scraped[]): Problem[] {
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
