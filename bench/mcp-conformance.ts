import { serveReferee, serveRefereeWithSessions } from '@septet/server/testing'

import { installTools } from '../test/install-tools.ts'
import { isPassed, REVISIONS, refereeFinds, WITHOUT_FIXTURES, type RefereeOptions } from '../test/mcp-referee.ts'
import type { Benchmark, Figure } from './benchmark.ts'

const VERSION = '0.2.0-alpha.12'

/** What servers of a revision of MCP have to pass: on Septet as it is, and on the same route with the referee's fixtures. */
export const benchmark: Benchmark = {
  name: 'mcp-conformance',
  description: `What @modelcontextprotocol/conformance ${VERSION} finds on the MCP endpoint: on Septet as it is, the scenarios that need no tools, resources or prompts from the suite; and everything a revision requires of servers, on the same route with these fixtures registered beside Septet's tools.`,
  run: async () => {
    const figures: Figure[] = []
    for (const revision of REVISIONS) {
      const free = WITHOUT_FIXTURES[revision]
      figures.push(...(await judged(`${revision}, as in production, scenarios without fixtures`, { revision, free })))
      figures.push(...(await judged(`${revision}, with fixtures, all required`, { revision, serveMcp: serveReferee })))
    }
    const serveMcp = serveRefereeWithSessions
    const sessions = '2025-11-25, with fixtures and with sessions, which Septet does not have, all required'
    return [...figures, ...(await judged(sessions, { revision: '2025-11-25', serveMcp }))]
  },
}

type Judged = Omit<RefereeOptions, 'tools'> & {
  readonly revision: (typeof REVISIONS)[number]
  /** The scenarios to count, where it is not all that are required. */
  readonly free?: readonly string[]
}

async function judged(name: string, { revision, free, ...options }: Judged): Promise<readonly Figure[]> {
  const found = await refereeFinds(revision, { tools: await installTools(), ...options })
  const counting = found.filter(({ name: each, isRequired }) => free?.includes(each) ?? isRequired)
  const failed = counting.filter((scenario) => !isPassed(scenario)).map((scenario) => scenario.name)
  const checks = Map.groupBy(
    counting.flatMap((scenario) => scenario.checks),
    ({ status }) => status.toLowerCase(),
  )
  const counted = [...checks].map(([status, { length }]) => `${length} ${status}`).join(', ')
  return [
    {
      name: `${name}: scenarios passed`,
      figure: counting.length - failed.length,
      unit: `of ${counting.length}`,
      aim: 'all',
      note: `checks: ${counted}${failed.length === 0 ? '' : `; not passed: ${failed.join(', ')}`}`,
    },
  ]
}
