import { OPERATIONS } from '@septet/contract'
import { describe, expect, test } from 'vitest'

// The cluster as text is for tests alone, so it is no part of what the package offers.
import { draw, withRequests } from '@septet/domain/testing'
import { factsOf } from '../answering/facts.fixture.ts'
import { factsOfNamespaces } from '../answering/namespace-facts.ts'
import { planLiveAppointment } from './plan-appointments.ts'

const fleet = withRequests(draw`
  node-a  H100-80GB-HBM3  [lab/one]
  node-a  H100-80GB-HBM3  [lab/two]
  node-b  H100-80GB-HBM3  [lab/both]
  node-b  H100-80GB-HBM3  [lab/both]`)

const asked = (input: object) =>
  OPERATIONS.appointmentsPlan.input.parse({ gpus: 2, perNode: 2, at: '2026-01-01T12:00:00Z', hours: 8, ...input })
const nothingKept = { actions: { list: async () => [] }, prices: { list: async () => [] } }
const planned = (input: object) => planLiveAppointment(factsOf(fleet, []), nothingKept, asked(input))

describe('an appointment that is asked for', () => {
  test('comes with its times, its bound, what lets the work in, and files', async () => {
    const answer = await planned({})
    expect(answer).toMatchObject({
      kind: 'plan',
      possible: 2,
      evictions: 1,
      atLeast: 1,
      provenBy: 'prices',
      noFiles: [],
    })
    expect(answer.nodes).toMatchObject([
      {
        node: 'node-b',
        closesAt: '2026-01-01T00:00:00.000Z',
        evictsAt: '2026-01-01T11:49:30.000Z',
        opensAt: '2026-01-01T20:00:00.000Z',
        evicted: ['lab/both'],
      },
    ])
    expect(answer.steps.map(({ notBefore }) => notBefore)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T11:49:30.000Z',
      '2026-01-01T11:50:00.000Z',
      '2026-01-01T20:00:00.000Z',
    ])
    expect(answer.wayBack.steps).toEqual(['Uncordon node-b'])
    expect(answer.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['commands.sh', 'let-in.yaml']))
    expect(OPERATIONS.appointmentsPlan.output.parse(answer)).toEqual(answer)
  })

  test('says how many can be had where not all can', async () => {
    const answer = await planned({ gpus: 4, maxDisplaced: 1 })
    expect(answer).toMatchObject({ kind: 'none', possible: 2, from: null, steps: [], files: [], evictions: null })
    expect(answer.because).toContain('2 GPUs of 4 can be had at 2026-01-01T12:00Z.')
    expect(OPERATIONS.appointmentsPlan.output.parse(answer)).toEqual(answer)
  })

  test('is closed later where no work runs longer than is said', async () => {
    const { nodes, evictions } = await planned({ longestHours: 4 })
    expect({ evictions, closesAt: nodes[0]?.closesAt }).toEqual({ evictions: 0, closesAt: '2026-01-01T07:59:00.000Z' })
  })

  test('is not planned for a caller of some namespaces, as it speaks of whoever is in its way', async () => {
    const facts = factsOfNamespaces(factsOf(fleet, []), ['lab'])
    await expect(planLiveAppointment(facts, nothingKept, asked({}))).rejects.toThrow(/no plan can be made/u)
  })
})
