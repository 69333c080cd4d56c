import { OPERATIONS } from '@septet/contract'
import { beforeAll, expect, test } from 'vitest'

import { demoSeptet } from '../shared/shared.ts'
import { eventually } from '../server-process.ts'

let api = ''
const ask = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(`${api}${path}`, init)).json()

beforeAll(async () => {
  api = `${(await demoSeptet()).url}/api/v1`
  // All of the week is read: what a scenario starts from is kept for a while.
  await eventually(
    async () => OPERATIONS.utilizationTrend.output.parse(await ask('/utilization?cluster=demo&range=7d')).points,
    (points) => points.filter(({ busy }) => busy !== null).length > 150,
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
