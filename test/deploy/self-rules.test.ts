import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { loadYaml } from '@kubernetes/client-node'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { demoSeptet } from '../shared/shared.ts'
import { systemTool, without } from '../system-tools.ts'
import { CHART } from './chart.ts'

const RULES = join(CHART, 'prometheus-rules.yaml')
const RulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string().optional(), expr: z.string() })) })),
})
const alerts = RulesSchema.parse(loadYaml(readFileSync(RULES, 'utf8'))).groups.flatMap(({ rules }) =>
  rules.filter(({ alert }) => alert !== undefined),
)

test('the alerts about Septet ask only for what it serves', async () => {
  const { url } = await demoSeptet()
  const text = await (await fetch(`${url}/metrics`)).text()
  const served = new Set([...text.matchAll(/^# TYPE (\S+) /gmu)].map(([, name]) => name))
  const asked = alerts.flatMap(({ expr }) => expr.match(/\bseptet_\w+/gu) ?? [])
  expect(asked.length).toBeGreaterThanOrEqual(alerts.length)
  expect(asked.filter((name) => !served.has(name))).toEqual([])
})

const promtool = systemTool('promtool', 'prometheus')
const folder = mkdtempSync(join(tmpdir(), 'septet-self-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What promtool says of a scenario. */
function fired(scenario: string): string {
  writeFileSync(join(folder, 'test.yaml'), scenario)
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', 'test.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 ? 'as expected' : stdout + stderr
}

describe.skipIf(promtool === undefined)(`with promtool${without(promtool, 'promtool', 'prometheus')}`, () => {
  test('each fires on its own trouble, once for several servers of one database', () => {
    expect(
      fired(
        scenarioOf(
          TROUBLE,
          alerts.map(({ alert }) => alert).filter((name) => name !== 'SeptetAway'),
        ),
      ),
    ).toBe('as expected')
  })

  test('none fires on a Septet that is well, nor on what is unknown', () => {
    expect(fired(scenarioOf(WELL, []))).toBe('as expected')
  })

  test('a Septet that is scraped no more is missed, and one that never was is not', () => {
    expect(fired(scenarioOf({ 'septet_database_up{pod="a"}': '1x30' }, ['SeptetAway']))).toBe('as expected')
    expect(fired(scenarioOf({ other: '1x60' }, []))).toBe('as expected')
  })
})

/** Two servers say the same of one cluster. */
const TROUBLE: Readonly<Record<string, string>> = {
  'septet_collection_lag_seconds{cluster="a",source="telemetry",pod="x"}': '0+60x60',
  'septet_collection_lag_seconds{cluster="a",source="telemetry",pod="y"}': '0+60x60',
  'septet_source_up{cluster="a",source="telemetry",pod="x"}': '0x60',
  'septet_source_up{cluster="a",source="telemetry",pod="y"}': '0x60',
  'septet_unobserved_hour_ratio{cluster="a",pod="x"}': '0.3x60',
  'septet_loop_consecutive_failures{cluster="a",loop="store",pod="x"}': '0+1x60',
  'septet_loop_consecutive_failures{cluster="a",loop="actor",pod="x"}': '0+1x60',
  'septet_loop_late{cluster="a",loop="collect",pod="x"}': '1x60',
  'septet_loop_late{cluster="a",loop="actor",pod="x"}': '0x60',
  'septet_database_up{pod="x"}': '0x60',
  'septet_database_up{pod="y"}': '1x60',
  'septet_unwritten_usage_rows{cluster="a",pod="x"}': '100+50x60',
}

/** Rows wait between two writings, and one failure is followed by a success. */
const WELL: Readonly<Record<string, string>> = {
  'septet_collection_lag_seconds{cluster="a",source="telemetry"}': '15x60',
  'septet_source_up{cluster="a",source="telemetry"}': '1x60',
  'septet_unobserved_hour_ratio{cluster="a"}': '0x60',
  'septet_loop_consecutive_failures{cluster="a",loop="store"}': '0 1 0x58',
  'septet_loop_late{cluster="a",loop="actor"}': '0x60',
  septet_database_up: '1x60',
  'septet_unwritten_usage_rows{cluster="a"}': '0 40 0 0 40 0x55',
}

/** Which alerts fire after 50 minutes of these series. */
const scenarioOf = (series: Readonly<Record<string, string>>, firing: readonly (string | undefined)[]): string =>
  JSON.stringify({
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: '50m',
            exp_samples: firing.map((name) => ({ labels: `{alertname="${name ?? ''}"}`, value: 1 })),
          },
        ],
      },
    ],
  })
