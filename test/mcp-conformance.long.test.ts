import { serveReferee, serveRefereeWithSessions } from '@septet/server/testing'
import { beforeAll, expect, test } from 'vitest'

import { isPassed, REVISIONS, refereeFinds, WITHOUT_FIXTURES, type Scenario } from './mcp-referee.ts'
import { heavyTools } from './shared/shared.ts'

let tools = ''
beforeAll(async () => {
  tools = await heavyTools()
})

test.each(REVISIONS)('the referee of MCP %s finds nothing wrong where it brings no fixtures', async (revision) => {
  const found = await refereeFinds(revision, { tools })
  const free = found.filter(({ name }) => WITHOUT_FIXTURES[revision].includes(name))
  expect(free).toHaveLength(WITHOUT_FIXTURES[revision].length)
  expect(failedIn(free)).toEqual([])
  // The other checks of this scenario call tools of the referee.
  const stateless = found.find(({ name }) => name === 'server-stateless')?.checks ?? []
  expect(stateless.filter(({ status }) => status === 'SUCCESS')).toHaveLength(revision === '2026-07-28' ? 24 : 0)
})

test('the referee of MCP 2026-07-28 passes every required scenario on the same route with its fixtures beside', async () => {
  const found = await refereeFinds('2026-07-28', { tools, serveMcp: serveReferee })
  expect(failedIn(found.filter(({ isRequired }) => isRequired))).toEqual([])
})

test('and that of 2025-11-25 too, where clients get the sessions that servers need to ask them', async () => {
  const found = await refereeFinds('2025-11-25', { tools, serveMcp: serveRefereeWithSessions })
  expect(failedIn(found.filter(({ isRequired }) => isRequired))).toEqual([])
})

const failedIn = (scenarios: readonly Scenario[]): readonly string[] =>
  scenarios
    .filter((scenario) => !isPassed(scenario))
    .map(({ name, checks }) => `${name}: ${checks.map(({ errorMessage = '' }) => errorMessage).join(' ')}`)
