import type { OPERATIONS, OperationKey, OutputOf, ProblemDocument } from '@septet/contract'

/** What this screen asks, each path written once; api.test.ts holds them against the contract. */
export const PATHS = {
  clustersList: '/api/v1/clusters',
  summaryGet: '/api/v1/summary',
  utilizationTrend: '/api/v1/utilization',
  partitionsList: '/api/v1/partitions',
  workloadsList: '/api/v1/workloads',
  costBreakdown: '/api/v1/cost',
  recommendationsList: '/api/v1/recommendations',
} as const satisfies Partial<Record<OperationKey, string>>

/** Where the server says what changed; the same as the contract's EVENTS_PATH. */
export const EVENTS = '/api/v1/events'

export type Question = keyof typeof PATHS
export type Answer<Q extends Question> = OutputOf<(typeof OPERATIONS)[Q]>
export type Input = Readonly<Record<string, string | number | undefined>>

/** The server answered, and said what is wrong and what to do. */
export class ProblemError extends Error {
  readonly problem: ProblemDocument

  constructor(problem: ProblemDocument) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** The server is up and has nothing to tell yet; it will have soon. */
export const isNotReady = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.code === 'not-ready'

/**
 * Asks one operation. Types only come from the contract: the server has already checked the answer against its schema,
 * and the schema library stays out of the bundle. Throws ProblemError for an answer that is a problem, TypeError when
 * nobody answered.
 */
export async function ask<Q extends Question>(question: Q, input: Input, signal?: AbortSignal): Promise<Answer<Q>> {
  const response = await fetch(address(question, input), {
    headers: { accept: 'application/json' },
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw new ProblemError(await readProblem(response))
  const answer: Answer<Q> = await response.json()
  return answer
}

function address(question: Question, input: Input): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? PATHS[question] : `${PATHS[question]}?${query}`
}

async function readProblem(response: Response): Promise<ProblemDocument> {
  const body: unknown = await response.json().catch(() => undefined)
  return isProblem(body) ? body : unexplained(response)
}

const isProblem = (body: unknown): body is ProblemDocument =>
  typeof body === 'object' && body !== null && 'detail' in body && 'todo' in body && 'code' in body

/** A proxy in between, say, that answers in its own words. */
const unexplained = (response: Response): ProblemDocument => ({
  type: 'about:blank',
  title: 'Unexpected answer',
  status: response.status,
  code: 'unexpected-answer',
  detail: `${response.url} answered ${response.status} without saying why.`,
  todo: 'Check that the address leads to Septet and not to a proxy in front of it, then try again.',
})
