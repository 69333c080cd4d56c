import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { loadYaml } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { startPrometheus } from '../metrics-engines.ts'
import { demoSeptet } from '../shared/shared.ts'
import { systemTool, without } from '../system-tools.ts'
import { CHART } from './chart.ts'

const DashboardSchema = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1),
    }),
  ),
})
const RulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ record: z.string().optional() })) })),
})

const textOf = (file: string): string => readFileSync(join(CHART, file), 'utf8')
const { panels } = DashboardSchema.parse(JSON.parse(textOf('dashboards/septet.json')))
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const recorded = RulesSchema.parse(loadYaml(textOf('prometheus-rules.yaml'))).groups.flatMap(({ rules }) =>
  rules.map(({ record }) => record),
)
const namesIn = (expression: string): string[] => expression.match(/\bseptet[:_][\w:]+/gu) ?? []

describe('the dashboard', () => {
  test('asks only for what Septet records or serves, in every panel for something', async () => {
    const { url } = await demoSeptet()
    const served = [...(await (await fetch(`${url}/metrics`)).text()).matchAll(/^# TYPE (\S+) (\S+)$/gmu)].flatMap(
      ([, name = '', type]) => (type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]),
    )
    const asked = expressions.map(namesIn)
    expect(asked.filter((names) => names.length === 0)).toEqual([])
    expect(asked.flat().filter((name) => !recorded.includes(name) && !served.includes(name))).toEqual([])
  })

  test('has no two panels of one number or one place', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  })

  const prometheus = systemTool('prometheus', 'prometheus')
  test.skipIf(prometheus === undefined)(`is understood by Prometheus${without(prometheus, 'prometheus')}`, async () => {
    const engine = await startPrometheus({ binary: prometheus ?? '' })
    try {
      for (const query of expressions) {
        const answer = await fetch(`${engine.url}/api/v1/query?${new URLSearchParams({ query }).toString()}`)
        expect([query, await answer.json()]).toMatchObject([query, { status: 'success' }])
      }
    } finally {
      await engine.stop()
    }
  })
})
