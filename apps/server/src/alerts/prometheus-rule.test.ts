import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DEFAULT_ALERT_RULES } from '@septet/domain'
import { afterAll, describe, expect, test } from 'vitest'

import { systemTool, without } from '../../../../test/system-tools.ts'
import { prometheusRule } from './prometheus-rule.ts'

const promtool = systemTool('promtool', 'prometheus')
const folder = mkdtempSync(join(tmpdir(), 'septet-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What Prometheus itself reads: the `spec` of the PrometheusRule. */
const groupsOf = (yaml: string): string =>
  yaml.slice(yaml.indexOf('spec:\n') + 'spec:\n'.length).replaceAll(/^ {2}/gmu, '')

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('it has one alert for each rule that is on', () => {
  const rules = { ...DEFAULT_ALERT_RULES, xid: { ...DEFAULT_ALERT_RULES.xid, enabled: false } }
  const alerts = [...prometheusRule(rules).matchAll(/- alert: (\w+)/gu)].map(([, name]) => name)
  expect(alerts).toHaveLength(8)
  expect(alerts).not.toContain('SeptetGpuXidFault')
})

describe.skipIf(promtool === undefined)(`with promtool${without(promtool, 'promtool', 'prometheus')}`, () => {
  test('Prometheus accepts every rule', () => {
    writeFileSync(join(folder, 'rules.yaml'), groupsOf(prometheusRule(DEFAULT_ALERT_RULES)))
    expect(run(['check', 'rules', 'rules.yaml'])).toMatchObject({
      status: 0,
      said: expect.stringContaining('9 rules found'),
    })
  })

  test('they fire on what dcgm-exporter and kube-state-metrics export, and on nothing that is not measured', () => {
    writeFileSync(join(folder, 'rules.yaml'), groupsOf(prometheusRule(DEFAULT_ALERT_RULES)))
    writeFileSync(join(folder, 'test.yaml'), SCENARIO)
    expect(run(['test', 'rules', 'test.yaml'])).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') })
  })
})

const SCENARIO = `
rule_files: [rules.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="a",pod="idle",gpu="0"}'
        values: '0x600'
      - series: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="a",pod="busy",gpu="1"}'
        values: '0.9x600'
      - series: 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace="a",pod="unmeasured",gpu="2"}'
        values: '0x60 _x480 0x60'
      - series: 'DCGM_FI_DEV_XID_ERRORS{gpu="0",Hostname="n1"}'
        values: '79x600'
      - series: 'DCGM_FI_DEV_XID_ERRORS{gpu="1",Hostname="n1"}'
        values: '31x600'
      - series: 'DCGM_FI_DEV_GPU_TEMP{gpu="0",Hostname="n1"}'
        values: '60x600'
      - series: 'kube_node_status_allocatable{node="n1",resource="nvidia_com_gpu"}'
        values: '4x600'
      - series: 'kube_node_status_allocatable{node="n2",resource="nvidia_com_gpu"}'
        values: '4x600'
      - series: 'kube_pod_container_resource_requests{namespace="a",pod="runs",resource="nvidia_com_gpu",node="n1"}'
        values: '2x600'
      - series: 'kube_pod_status_phase{namespace="a",pod="runs",phase="Running"}'
        values: '1x600'
      - series: 'kube_pod_container_resource_requests{namespace="a",pod="waits",resource="nvidia_com_gpu"}'
        values: '6x600'
      - series: 'kube_pod_status_unschedulable{namespace="a",pod="waits"}'
        values: '1x600'
      - series: 'kube_pod_created{namespace="a",pod="waits"}'
        values: '0x600'
      - series: 'kube_pod_container_resource_requests{namespace="a",pod="waits-too",resource="nvidia_com_gpu"}'
        values: '1x600'
      - series: 'kube_pod_status_unschedulable{namespace="a",pod="waits-too"}'
        values: '1x600'
      - series: 'kube_pod_created{namespace="a",pod="waits-too"}'
        values: '600x600'
      - series: 'kube_pod_container_resource_requests{namespace="b",pod="waits-briefly",resource="nvidia_com_gpu"}'
        values: '1x600'
      - series: 'kube_pod_status_unschedulable{namespace="b",pod="waits-briefly"}'
        values: '1x600'
      - series: 'kube_pod_created{namespace="b",pod="waits-briefly"}'
        values: '35000x600'
      - series: 'kube_pod_created{namespace="a",pod="too-large"}'
        values: '0x600'
      - series: 'kube_pod_container_resource_requests{namespace="a",pod="too-large",resource="nvidia_com_gpu"}'
        values: '7x600'
      - series: 'kube_pod_status_unschedulable{namespace="a",pod="too-large"}'
        values: '1x600'
      - series: 'kube_node_labels{node="n2",label_nvidia_com_mig_config_state="failed"}'
        values: '1x600'
    promql_expr_test:
      - expr: 'count by (alertname, pod, gpu, node, resource) (ALERTS{alertstate="firing"})'
        eval_time: 590m
        exp_samples:
          - { labels: '{alertname="SeptetIdleHeldGpu", pod="idle"}', value: 1 }
          - { labels: '{alertname="SeptetPendingWithFreeGpus", resource="nvidia_com_gpu"}', value: 1 }
          - { labels: '{alertname="SeptetGpuXidFault", gpu="0"}', value: 1 }
          - { labels: '{alertname="SeptetTelemetryMissing", node="n2"}', value: 1 }
          - { labels: '{alertname="SeptetMigChangeFailed", node="n2"}', value: 1 }
`
