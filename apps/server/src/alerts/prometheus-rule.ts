import {
  ALERT_KIND_WORDS,
  ALERT_KINDS,
  DEFAULT_POLICY,
  FAULT_XIDS,
  type AlertKind,
  type AlertRule,
  type AlertRules,
} from '@septet/domain'

type Exported = {
  readonly alert: string
  /** PromQL for one rule. */
  readonly expr: (rule: AlertRule) => string
  readonly summary: string
  readonly description: string
  /** Whether Prometheus itself waits for `forMinutes`; where Septet's own metric is asked, Septet has waited already. */
  readonly waits: boolean
}

const BUSY = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE'
const GPU_RESOURCES = 'resource=~"nvidia_com_(gpu|mig_.+)"'
/** Subqueries look at every fifth minute. */
const STEP_MINUTES = 5
/** Of these looks so many must have found a value: what is not measured is unknown, not idle. */
const ENOUGH = 0.9

const idleFor = (minutes: number): string => {
  const looks = Math.floor((minutes / STEP_MINUTES) * ENOUGH)
  const series = `${BUSY}{pod!=""}[${minutes}m:${STEP_MINUTES}m]`
  return (
    `max by (namespace, pod) (max_over_time(${series})) <= ${DEFAULT_POLICY.idle.threshold}\n` +
    `and on (namespace, pod) min by (namespace, pod) (count_over_time(${series})) >= ${looks}`
  )
}

/** Free of each resource: what nodes offer less what bound pods ask for. */
const FREE =
  `(sum by (resource) (kube_node_status_allocatable{${GPU_RESOURCES}})\n` +
  `    - (sum by (resource) (kube_pod_container_resource_requests{${GPU_RESOURCES}, node!=""}` +
  ` and on (namespace, pod) kube_pod_status_phase{phase=~"Pending|Running"} == 1)\n` +
  `       or sum by (resource) (kube_node_status_allocatable{${GPU_RESOURCES}}) * 0))`

const fromSeptet =
  (kind: AlertKind): Exported['expr'] =>
  () =>
    `max by (cluster, object, namespace) (septet_alert_firing{kind="${kind}"}) == 1`

/** Over metrics that clusters with GPUs have; over Septet's own where a figure is made only here. */
const EXPORTED = {
  'idle-held': {
    alert: 'SeptetIdleHeldGpu',
    expr: ({ threshold }) => idleFor(Math.round(threshold * 60)),
    summary: '{{ $labels.namespace }}/{{ $labels.pod }} holds an idle GPU',
    description: 'Its GPU was never busy in the whole time, and was measured nearly all of it.',
    waits: true,
  },
  budget: {
    alert: 'SeptetBudgetSpent',
    expr: fromSeptet('budget'),
    summary: 'Budget {{ $labels.object }} has passed its threshold',
    description: 'Prices and budgets are known to Septet alone, so this asks its /metrics.',
    waits: false,
  },
  efficiency: {
    alert: 'SeptetEfficiencyLow',
    expr: ({ threshold }) =>
      `septet_busy_of_allocated_ratio * 100 < ${threshold}\nand on (cluster) septet_busy_of_allocated_coverage_ratio >= 0.8`,
    summary: 'GPUs held in {{ $labels.cluster }} are busy {{ $value | humanize }}% of the time',
    description: 'Over 24 hours, weighed by share of the GPU, which only Septet knows; asks its /metrics.',
    waits: true,
  },
  'pending-with-free': {
    alert: 'SeptetPendingWithFreeGpus',
    expr: ({ threshold }) =>
      `count by (namespace, resource) (\n` +
      `  (sum by (namespace, pod, resource) (kube_pod_container_resource_requests{${GPU_RESOURCES}}` +
      ` and on (namespace, pod) kube_pod_status_unschedulable == 1)\n    <= on (resource) group_left () ${FREE})\n` +
      `  and on (namespace, pod) time() - kube_pod_created >= ${Math.round(threshold * 60)})`,
    summary: '{{ $value }} pods of {{ $labels.namespace }} wait although {{ $labels.resource }} is free',
    description:
      'Enough is free in total, but not where or in the shape that the pods can use. kube-state-metrics does not say which GPU models pods ask for, so free GPUs of other models count here too; Septet’s own alert leaves them out.',
    waits: true,
  },
  'mig-change-failed': {
    alert: 'SeptetMigChangeFailed',
    expr: () => 'kube_node_labels{label_nvidia_com_mig_config_state="failed"} == 1',
    summary: 'MIG change failed on {{ $labels.node }}',
    description: 'Needs kube-state-metrics with --metric-labels-allowlist=nodes=[nvidia.com/mig.config.state].',
    waits: true,
  },
  xid: {
    alert: 'SeptetGpuXidFault',
    expr: () => FAULT_XIDS.map((code) => `DCGM_FI_DEV_XID_ERRORS == ${code}`).join(' or '),
    summary: 'GPU {{ $labels.gpu }} on {{ $labels.Hostname }} reports XID {{ $value }}',
    description: 'The code says that this GPU cannot be relied on until it is reset or replaced.',
    waits: true,
  },
  'telemetry-missing': {
    alert: 'SeptetTelemetryMissing',
    expr: () =>
      'sum by (node) (kube_node_status_allocatable{' +
      `${GPU_RESOURCES}}) > 0\nunless on (node) label_replace(DCGM_FI_DEV_GPU_TEMP, "node", "$1", "Hostname", "(.+)")`,
    summary: 'Node {{ $labels.node }} has GPUs and reports no metrics',
    description: 'The use of its GPUs is unknown, not 0.',
    waits: true,
  },
  'spend-change': {
    alert: 'SeptetSpendChange',
    expr: fromSeptet('spend-change'),
    summary: '{{ $labels.object }} spends more than its mean',
    description: 'Prices are known to Septet alone, so this asks its /metrics.',
    waits: false,
  },
  'mixed-namespaces': {
    alert: 'SeptetMixedNamespaces',
    expr: fromSeptet('mixed-namespaces'),
    summary: 'Pods of several namespaces share the GPUs of {{ $labels.object }}',
    description: 'Which nodes are shared for one namespace is known to Septet alone, so this asks its /metrics.',
    waits: false,
  },
} as const satisfies Readonly<Record<AlertKind, Exported>>

/** The enabled rules as a PrometheusRule of the Prometheus Operator, as YAML. */
export function prometheusRule(rules: AlertRules): string {
  const group = ALERT_KINDS.filter((kind) => rules[kind].enabled).flatMap((kind) => ruleLines(kind, rules[kind]))
  return [
    '# Made by Septet from its alert rules. Scopes of namespaces and tenants are not part of it: route by labels.',
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: septet-alerts',
    '  labels:',
    '    app.kubernetes.io/part-of: septet',
    'spec:',
    ...(group.length === 0 ? ['  groups: []'] : ['  groups:', '    - name: septet', '      rules:', ...group]),
    '',
  ].join('\n')
}

function ruleLines(kind: AlertKind, rule: AlertRule): string[] {
  const { alert, expr, summary, description, waits }: Exported = EXPORTED[kind]
  return [
    `        - alert: ${alert}`,
    '          expr: |-',
    ...expr(rule)
      .split('\n')
      .map((line) => `            ${line}`),
    ...(waits && rule.forMinutes > 0 ? [`          for: ${rule.forMinutes}m`] : []),
    '          labels:',
    `            severity: ${rule.severity}`,
    `            septet_kind: ${kind}`,
    '          annotations:',
    // JSON's strings are strings of YAML as well.
    `            summary: ${JSON.stringify(summary)}`,
    `            description: ${JSON.stringify(`${ALERT_KIND_WORDS[kind].meaning} ${description}`)}`,
  ]
}
