import { OPERATIONS } from '@septet/contract'
import { WEEK_MS } from '@septet/domain'
import { beforeAll, expect, test } from 'vitest'

import { demoSeptet } from '../shared/shared.ts'
import { eventually } from '../server-process.ts'

let api = ''
const ask = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(`${api}${path}`, init)).json()

beforeAll(async () => {
  api = `${(await demoSeptet()).url}/api/v1`
  // Asked while the week is still being read, it grows until all of it is there.
  await eventually(
    async () => OPERATIONS.scenariosInput.output.parse(await ask('/scenarios/input?cluster=demo')).window,
    (window) => window !== null && Date.parse(window.to) - Date.parse(window.from) === WEEK_MS,
  )
  await eventually(
    async () => OPERATIONS.clustersList.output.parse(await ask('/clusters')).clusters,
    (clusters) => clusters.every(({ history }) => history === null),
  )
})

const told = (answer: unknown) => OPERATIONS.scenariosGet.output.parse(answer)

async function resultOf(boards: 'same' | 'any') {
  const asked = { cluster: 'demo', scenario: { from: 'week', changes: [], boards, sizes: 'held' } }
  const headers = { 'content-type': 'application/json' }
  const { id } = told(await ask('/scenarios', { method: 'POST', headers, body: JSON.stringify(asked) }))
  const { result, problem } = await eventually(
    async () => told(await ask(`/scenarios/${id}`)),
    ({ state }) => state === 'done' || state === 'failed',
  )
  if (result === null) throw new Error(problem ?? 'no result')
  return result
}

test.each(['same', 'any'] as const)(
  'on the demo’s week a visitor learns what Septet saves, and it is behind neither best fit nor today’s layout (%s models)',
  async (boards) => {
    const { outcomes, bound, says } = await resultOf(boards)
    const [today = NaN, bestFit = NaN, septet = NaN] = outcomes.map(({ needed }) => needed ?? NaN)
    expect(septet).toBeLessThanOrEqual(bestFit)
    expect(septet).toBeLessThanOrEqual(today)
    expect(septet).toBeGreaterThanOrEqual(bound?.gpus ?? 0)
    expect(says).toMatch(/^(Septet’s layout would have held|Keep today’s layout: it held) .* on \d+ GPUs/u)
  },
)
