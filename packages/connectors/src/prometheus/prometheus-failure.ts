import { TelemetryError, type TelemetryErrorCode } from '../dcgm/telemetry-error.ts'
import type { GetAnswer } from '../http/bounded-get.ts'
import type { QueryAnswer } from './prometheus-answer.ts'

/** The answer, when it is one; else throws the sentence that says why not. */
export function judgeAnswer(name: string, answer: GetAnswer, envelope: QueryAnswer | undefined): QueryAnswer {
  if (answer.cut === 'too-large')
    throw failure(name, 'too-large', 'answers with more than is read at once. Ask for less.')
  if (answer.cut === 'broken') throw failure(name, 'unreachable', 'broke off in the middle of its answer.')
  if (envelope?.kind === 'error') throw refused(name, answer, envelope)
  if (envelope !== undefined && answer.status === 200) return envelope
  const [code, text] = byStatus(answer)
  throw failure(name, code, text)
}

/** How the engines word that a query is too big: Prometheus, Thanos, Mimir, VictoriaMetrics. */
const LIMIT =
  /too many samples|exceeded maximum resolution|maxPointsPerTimeseries|max-samples|limit|exceed|too large|too long|max_over|maxUniqueTimeseries|maxSamples/i

function refused(
  name: string,
  answer: GetAnswer,
  { errorType, error }: { readonly errorType: string; readonly error: string },
): TelemetryError {
  const said = `“${shorten(error)}”`
  if ([401, 403, 429].includes(answer.status)) {
    const [code, text] = byStatus(answer)
    return failure(name, code, text)
  }
  if (errorType === 'timeout' || errorType === 'canceled') {
    return failure(name, 'limit', `gave the query up: ${said}. Smaller pieces may pass; else raise its query timeout.`)
  }
  if (LIMIT.test(error)) return failure(name, 'limit', `refuses a query as too big: ${said}.`)
  if (answer.status >= 500) return failure(name, 'server-error', `has an internal error (${answer.status}): ${said}.`)
  return failure(
    name,
    'rejected',
    `rejects a query (${answer.status} ${errorType}): ${said}. It may not be Prometheus-compatible.`,
  )
}

function byStatus({ status, location }: GetAnswer): [TelemetryErrorCode, string] {
  const known = STATUS[status]
  if (known !== undefined) return known
  if (status >= 300 && status < 400) {
    return [
      'redirected',
      `redirects to ${location ?? 'elsewhere'}. Give that address, or a token that needs no login page.`,
    ]
  }
  if (status >= 500) return ['server-error', `has an internal error (${status}). It may be restarting or overloaded.`]
  return ['rejected', `answers with status ${status}. Check the address, with its path prefix if it has one.`]
}

const STATUS: Readonly<Record<number, [TelemetryErrorCode, string]>> = {
  200: ['not-understood', 'answers with something that is not Prometheus. Check the address and its path prefix.'],
  401: ['unauthorized', 'asks for a sign-in (401). Give a valid token, or user and password.'],
  403: ['forbidden', 'refuses access (403). The token lacks the right to query, or the tenant is wrong.'],
  413: ['limit', 'refuses a query as too big (413).'],
  422: ['limit', 'refuses a query as too big (422).'],
  429: ['server-error', 'asks to slow down (429), also after waiting. Ask less often, or raise its limit.'],
}

const failure = (name: string, code: TelemetryErrorCode, text: string): TelemetryError =>
  new TelemetryError(code, `${name} ${text}`)

const shorten = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}…`)
