import { OPERATIONS } from '@septet/contract'
import { describe, expect, test } from 'vitest'

import { samplePartitions, sampleRecommendations, sampleSummary } from '@septet/server/testing/sample'
import { COPILOT_DEMO } from '../timings.ts'
import { COPILOT_EXAMPLES } from './copilot.ts'
import { PARTITIONS_PER_NODE, SAMPLE, SAMPLE_NODES } from './sample-figures.ts'

const summary = sampleSummary()
const tips = sampleRecommendations().recommendations
const percent = (ratio: number | null): string => `${Math.round((ratio ?? Number.NaN) * 1000) / 10}%`

describe('the sample figures that the site quotes', () => {
  test('are those of the summary', () => {
    expect({
      savings: `$${(summary.savings.verified.value ?? 0) / 1000}K`,
      savingsChange: summary.savings.change,
      utilization: percent(summary.utilization.busy.value),
      target: percent(summary.utilization.target),
      aboveTarget: summary.utilization.note,
      active: String(summary.workloads.active),
      running: String(summary.workloads.running),
      queued: String(summary.workloads.queued),
      migEfficiency: percent(summary.mig.headline.value),
    }).toEqual({
      savings: SAMPLE.savings,
      savingsChange: SAMPLE.savingsChange,
      utilization: SAMPLE.utilization,
      target: SAMPLE.target,
      aboveTarget: SAMPLE.aboveTarget,
      active: SAMPLE.active,
      running: SAMPLE.running,
      queued: SAMPLE.queued,
      migEfficiency: SAMPLE.migEfficiency,
    })
  })

  test('are those of the recommendations', () => {
    const [scaleDown, recut, schedule] = tips
    const saving = scaleDown?.saving
    expect(saving?.kind === 'estimated' && saving.usdPerMonth?.toLocaleString('en-US')).toBe(
      SAMPLE.scaleDown.replace(/[^\d,]/gu, ''),
    )
    expect(scaleDown?.title).toBe('Scale down gpu-a100-07')
    expect(scaleDown?.message).toContain('62% utilized')
    expect(recut?.message).toContain(SAMPLE.performanceGain)
    expect(schedule?.title).toBe('Move the batch queue to the night')
    expect(schedule?.message).toBe(`Saves ${SAMPLE.queueMinutes} of queue time.`)
  })

  test('are those of the partitions', () => {
    const nodes = samplePartitions().nodes
    expect(
      nodes.map(({ node, available, utilization }) => ({ node, available, utilization: percent(utilization.value) })),
    ).toEqual(SAMPLE_NODES)
    expect(nodes.every(({ total }) => total === PARTITIONS_PER_NODE)).toBe(true)
    expect(nodes.filter(({ available }) => available === 0)).toHaveLength(2)
    const busiest = nodes.toSorted((a, b) => (b.utilization.value ?? 0) - (a.utilization.value ?? 0))[0]
    expect(busiest?.node).toBe('gpu-h200-02')
  })
})

describe('each example', () => {
  test.each(COPILOT_EXAMPLES)('$category quotes no figure but those', ({ response }) => {
    const known = new Set(
      [...Object.values(SAMPLE), ...SAMPLE_NODES.flatMap((node) => Object.values(node)), PARTITIONS_PER_NODE].flatMap(
        numbersIn,
      ),
    )
    expect(numbersIn(response).filter((number) => !known.has(number))).toEqual([])
    expect(numbersIn(response).length).toBeGreaterThan(2)
  })

  test.each(COPILOT_EXAMPLES)('$category is typed out with time to read before the next card', ({ response }) => {
    const typed = COPILOT_DEMO.responseAfterMs + response.length * COPILOT_DEMO.typingStepMs
    expect(COPILOT_DEMO.nextCardAfterMs - typed).toBeGreaterThanOrEqual(2000)
  })

  test.each(COPILOT_EXAMPLES)('$category names operations that are there', ({ operations }) => {
    const names = Object.values(OPERATIONS).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...operations]))
  })

  test('there are four', () => {
    expect(COPILOT_EXAMPLES).toHaveLength(4)
  })
})

const numbersIn = (text: string | number): string[] => String(text).match(/\d[\d.,]*\d|\d/gu) ?? []
