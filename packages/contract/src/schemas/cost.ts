import { z } from 'zod'

import {
  answered,
  ClusterInput,
  CostPartsSchema,
  InstantText,
  ProblemSchema,
  RangeInput,
  RangeText,
  WindowSchema,
  ZoneSchema,
  told,
} from './figure.ts'
import { budgetsPut } from './budgets.ts'
import { named } from '../named.ts'
import { operation } from '../operation.ts'
import { ROUTES } from '../routes.ts'
import { TenantsSchema } from './tenants.ts'

const CostGroup = z.enum(['namespace', 'tenant', 'label', 'model', 'pool', 'node'])

const Share = z.number().min(0).max(1).nullable()

/** What is told of one group, or of all. */
const CostAmounts = {
  gpuHours: CostPartsSchema,
  usd: CostPartsSchema.nullable().describe('null if no price is known'),
  busy: Share.describe(
    'utilization: mean busy of the GPU time it held, over what of that was measured. Not 1 − idle: work that is not idle may use 6% of its GPU. null: nothing held or nothing measured, which is not 0',
  ),
  coverage: Share.describe('measured share of the GPU time it held; null: nothing held'),
  unmeasuredShare: Share.describe('1 − coverage: busy says nothing about this share; null: nothing held'),
}

/** One group of a cost cut, or one workload within a group. */
const CostGroupView = z.object({
  id: z.string().describe('pass it as `within`'),
  key: z.string().describe('empty for unallocated capacity, and for work without such a label or tenant'),
  kind: z
    .enum(['named', 'none', 'unknown', 'free'])
    .describe('none: has no such label or tenant; unknown: ended before its labels were read; free: unallocated'),
  ...CostAmounts,
})

export const costBreakdown = operation(ROUTES.costBreakdown, {
  title: 'Utilization, cost and waste by group',
  description:
    'How busy GPUs were, GPU-hours and dollars by namespace, tenant, label, model, pool or node over a range, or by workload within one group. The utilization of a group is its `busy`, not 1 − idle. used + idleHeld + oversized + unallocated + stranded + broken + unrequested + unobserved = capacity. Amounts are exact, not rounded to cents, so that days add up to their month. For a caller limited to namespaces it covers what their namespaces held: used + idleHeld + oversized = capacity.',
  input: z.strictObject({
    ...ClusterInput,
    ...RangeInput,
    by: CostGroup.default('namespace'),
    label: z.string().max(320).optional().describe('label key to group by, with by=label; `labels` lists the choices'),
    within: z.string().max(400).optional().describe('ID of a group: list its workloads instead of all groups'),
    zone: ZoneSchema,
  }),
  output: named('CostBreakdown', {
    ...told,
    by: CostGroup,
    groups: z.array(CostGroupView),
    total: z.object(CostAmounts).nullable().describe('null for sample data'),
    unpricedGpuHours: z.number(),
    within: z.string().nullable(),
    labels: z.array(z.string()).describe('label keys used by workloads in this range'),
    observedSeconds: z.number().describe('how much of the range has usage data'),
    notes: z
      .array(z.string())
      .describe('where the range is partial: not over yet, partly observed, or rounded to whole hours'),
    before: RangeText.nullable().describe('the preceding range of the same length; null for sample data'),
  }),
})

export const tenantsExport = operation(ROUTES.tenantsExport, {
  title: 'Export a tenant’s data',
  description:
    'What Septet stores about a tenant, as one document: the rule that defines it, its budgets, and for each cluster the GPU-hours and cost of its workloads over a range. A tenant is a rule over namespaces and labels, so its usage is deleted by data retention only: deleting it earlier would leave GPU time without a holder and change the totals of every other tenant.',
  input: z.strictObject({ tenant: z.string().min(1).max(63), ...RangeInput, zone: ZoneSchema }),
  output: named('TenantData', {
    tenant: z.string(),
    exportedAt: InstantText,
    rule: TenantsSchema.shape.tenants.element,
    budgets: z.array(budgetsPut.output),
    clusters: z.array(
      z.object({
        cluster: z.string(),
        name: z.string(),
        window: WindowSchema.nullable(),
        observedSeconds: z.number().nullable().describe('how much of the range has usage data; null if unknown'),
        total: z.object(CostAmounts).nullable().describe('null if nothing is known, or if the tenant held nothing'),
        workloads: z.array(CostGroupView),
        notes: z.array(z.string()).describe('where the figures are partial or missing, and why'),
      }),
    ),
  }),
})

export const findingsList = operation(ROUTES.findingsList, {
  title: 'Findings',
  description:
    'Waste and faults in a range with their evidence, largest first. Nothing is concluded from telemetry that cannot be trusted. A caller limited to namespaces sees findings about their namespaces.',
  input: z.strictObject({ ...ClusterInput, ...RangeInput }),
  output: named('FindingList', {
    ...answered,
    findings: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        object: z.string(),
        message: z.string(),
        gpuHours: z.number().nullable(),
        usdPerMonth: z.number().nullable(),
        evidence: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
})

export const qualityGet = operation(ROUTES.qualityGet, {
  title: 'Data quality',
  description: 'Which devices and targets do not report or cannot be trusted, why, and what to do about it.',
  input: z.strictObject({ ...ClusterInput }),
  output: named('DataQuality', {
    ...answered,
    measuredDevices: z.number().int(),
    devices: z.number().int(),
    reasons: z.array(
      z.object({ reason: z.string(), text: z.string(), devices: z.number().int(), examples: z.array(z.string()) }),
    ),
    targets: z.array(
      z.object({
        target: z.string(),
        node: z.string().nullable(),
        state: z.enum(['up', 'stale', 'down']),
        lastSeen: InstantText.nullable(),
        detail: z.string(),
      }),
    ),
    problems: z.array(ProblemSchema),
  }),
})

const RangeView = z.object({ min: z.number(), max: z.number() }).nullable().describe('null: unknown')

export const modelsList = operation(ROUTES.modelsList, {
  title: 'GPU models',
  description:
    'The GPU catalog: memory, architecture, MIG capability and profiles, TDP, and which values are unverified.',
  input: z.strictObject({}),
  output: named('GpuModelList', {
    models: z.array(
      z.object({
        name: z.string(),
        vendor: z.string(),
        architecture: z.string(),
        memoryGb: RangeView,
        tdpWatts: RangeView,
        mig: z.string(),
        profiles: z.array(z.string()),
        unverified: z.array(z.string()),
      }),
    ),
  }),
})
