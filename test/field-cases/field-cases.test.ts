import { readdirSync } from 'node:fs'

import { DEFAULT_ALERT_RULES, instant, observe, unsoundGpu, unsoundNode, type Plan } from '@septet/domain'
import { everyPlan, proposedPlans, touchedBy } from '@septet/domain/testing'
import { afterEach, describe, expect, test } from 'vitest'

import { fieldCases } from '../system-tools.ts'
import { openCase, READING, type OpenCase } from './open-case.ts'

const cases = fieldCases()
const folders = cases === undefined ? [] : readdirSync(cases).filter((name) => /^\d/u.test(name))
const NOW = instant(Date.parse('2026-11-28T14:20:00Z'))

const opened: OpenCase[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

/** The case of a number, read once. */
async function read(number: string): Promise<OpenCase> {
  const folder = folders.find((name) => name.startsWith(`${number}-`))
  const found = await openCase(new URL(`${folder}/`, cases))
  opened.push(found)
  await found.read(NOW)
  return found
}

/** Every plan that could be made leaves the GPU alone; and the reason is said where somebody asks for that very GPU. */
function leavesAlone({ snapshot }: OpenCase, index: number): void {
  const gpu = snapshot().nodes[0]?.gpus[index]?.id ?? ''
  const plans = everyPlan(snapshot())
  expect(
    plans.filter((plan) => touchedBy(plan, snapshot()).has(gpu)).map(({ title, steps }) => [title, steps]),
  ).toEqual([])
  expect(plans.flatMap(({ refused }) => refused.map(({ message }) => message)).join('\n')).toContain(
    'no pod is known to hold',
  )
}

/** Each GPU that the plans cut again, under the plan's title. */
const changed = (plans: readonly Plan[]) =>
  plans.flatMap(({ title, steps }) =>
    steps.flatMap(({ action }) => (action.kind === 'repartition' ? action.gpus : []).map((gpu) => ({ title, ...gpu }))),
  )

/** What each case says is right, by its number. The others of the folder are not held against it yet. */
const RIGHT: Readonly<Record<string, () => Promise<void>>> = {
  '13': async () => {
    const found = await read('13')
    leavesAlone(found, 0)
    expect(found.problems().map(({ code, message }) => [code, message])).toContainEqual([
      'used-without-request',
      expect.stringMatching(/^Something uses GPU 0 of \S+ outside Kubernetes’ requests/u),
    ])
  },
  '38': async () => {
    const found = await read('38')
    const [node] = found.snapshot().nodes
    expect(node?.gpus.map(({ index, migEnabled }) => [index, migEnabled])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((index) => [index, index < 2]),
    )
    expect(node && unsoundNode(node)).toBeUndefined()
    expect(changed(everyPlan(found.snapshot())).filter(({ index, from }) => from.migEnabled !== index < 2)).toEqual([])
    // A person who draws a layout for #1 may turn its mode off; Septet may not.
    expect(
      changed(proposedPlans(found.snapshot())).filter(({ index, to }) => index > 0 && to.migEnabled !== (index === 1)),
    ).toEqual([])
  },
  '54': async () => {
    const found = await read('54')
    for (let second = 60; second <= 1800; second += READING) await found.read(instant(NOW + second * 1000))
    const now = instant(NOW + 1_800_000)
    await found.flush(now)
    const day = found.analysis({ from: instant(now - 86_400_000), to: now })
    const { observations } = observe(
      {
        cluster: 'case',
        clusterName: 'case',
        now,
        connected: true,
        asOf: now,
        picture: found.snapshot(),
        samples: found.samples(),
        targets: [],
        problems: [],
        idle: found.idle(),
        day,
        week: day,
        budgets: [],
        tenants: [],
        rules: DEFAULT_ALERT_RULES,
      },
      'idle-held',
    )
    expect(observations.map(({ verdict, figure }) => [verdict, figure.value <= 0.5])).toEqual(
      Array.from({ length: 3 }, () => ['clear', true]),
    )
    expect(observations[0]?.message).toContain('idle for 0.5 h of the 0.5 h for which Septet watched it (limit 8 h)')
  },
  '65': async () => {
    const found = await read('65')
    leavesAlone(found, 1)
    const gpus = found.snapshot().nodes.flatMap((node) => node.gpus)
    expect(gpus.map((gpu) => unsoundGpu(gpu) !== undefined)).toEqual([false, true])
  },
}

describe.skipIf(cases === undefined)('what people reported', () => {
  test.each(Object.keys(RIGHT))('case %s is read and planned as it says', async (number) => {
    expect.hasAssertions()
    await RIGHT[number]?.()
  })
})
