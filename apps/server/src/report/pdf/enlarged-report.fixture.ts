import type { Report } from '../../operations/report/report.ts'

const many = <Row>(rows: readonly Row[], count: number, rename: (row: Row, order: number) => Row): Row[] =>
  rows.length === 0
    ? []
    : Array.from({ length: count }, (_, order) => rows.slice(order % rows.length)).flatMap(([row], order) =>
        row === undefined ? [] : [rename(row, order)],
      )

/** A report as of a cluster of a hundred nodes: what is listed once or twice in it is listed many times. */
export function enlarged(report: Report): Report {
  const { cost, recommendations, partitions, waits, workloads, findings } = report
  const groups = many(cost.namespace.groups, 40, (group, order) => ({
    ...group,
    id: `team-${order}`,
    key: `team-${order}`,
  }))
  const tips = many(
    recommendations.recommendations.length === 0 ? [TIP] : recommendations.recommendations,
    60,
    (tip, order) => ({ ...tip, id: `tip-${order}` }),
  )
  const waiting = workloads.workloads.map((workload, order) => ({
    ...workload,
    id: `waits-${order}`,
    status: 'queued' as const,
  }))
  return {
    ...report,
    cost: { ...cost, namespace: { ...cost.namespace, groups } },
    recommendations: { ...recommendations, madeAt: report.madeAt, total: tips.length, recommendations: tips },
    partitions: {
      ...partitions,
      nodes: many(partitions.nodes, 60, (node, order) => ({ ...node, node: `node-${order}` })),
      total: 60,
    },
    workloads: {
      ...workloads,
      workloads: many(waiting, 40, (workload, order) => ({ ...workload, id: `waits-${order}` })),
    },
    waits: { ...waits, causes: many(waits.causes, 8, (cause, order) => ({ ...cause, cause: `cause-${order}` })) },
    findings: {
      ...findings,
      findings: many(findings.findings, 60, (finding, order) => ({ ...finding, id: `finding-${order}` })),
    },
  }
}

type Tip = Report['recommendations']['recommendations'][number]

const TIP: Tip = {
  id: 'tip',
  kind: 'remove-node',
  object: 'node/a',
  title: 'Remove a and its 4 GPUs',
  message: 'Over 7 days 100% of it was unallocated, and no waiting work could use it.',
  rule: { name: 'remove-node', version: 1 },
  madeAt: null,
  evidence: { query: '', window: null, samples: null, coverage: null, figures: {} },
  saving: {
    kind: 'estimated',
    gpuHoursPerMonth: 2920,
    usdPerMonth: 8010,
    usdPerGpuHour: 2.74,
    priceSource: null,
    effect: 'bill-reduced',
  },
  risk: null,
  plan: null,
  dismissed: null,
}
