import { z } from 'zod'

import { ABOUT, aboutOf, CLUSTER, RANGE, rows, textsOf } from '../answer-parts.ts'
import { tool } from '../tool.ts'

export const findProblems = tool({
  name: 'find_problems',
  title: 'What is wrong or wasted',
  description:
    'What needs attention now: alerts that fire, GPUs that cannot be used, telemetry that cannot be trusted, and findings of waste with their evidence, largest first. Nothing is concluded from telemetry that cannot be trusted.',
  toolset: 'read',
  operations: ['alertsList', 'fleetBroken', 'qualityGet', 'findingsList'],
  input: z.strictObject({ ...CLUSTER, ...RANGE, ...rows(10, 50) }),
  output: z.object({
    ...ABOUT,
    firing: z.number().describe('alerts that fire, also those not listed'),
    alerts: z.array(
      z.object({
        severity: z.string(),
        object: z.string(),
        title: z.string(),
        message: z.string(),
        advice: z.string(),
        since: z.string(),
      }),
    ),
    brokenGpus: z.number(),
    broken: z.array(
      z.object({
        gpu: z.string(),
        node: z.string(),
        model: z.string(),
        problem: z.string(),
        holders: z.array(z.string()),
      }),
    ),
    telemetry: z.object({
      devices: z.number(),
      measured: z.number(),
      reasons: z.array(z.object({ says: z.string(), devices: z.number(), examples: z.array(z.string()) })),
    }),
    findingCount: z.number(),
    findings: z.array(
      z.object({
        kind: z.string(),
        object: z.string(),
        message: z.string(),
        gpuHours: z.number().nullable(),
        usdPerMonth: z.number().nullable(),
      }),
    ),
  }),
  answer: async ({ cluster, range, limit }, ask) => {
    const [alerts, broken, quality, found] = await Promise.all([
      ask('alertsList', { cluster, limit }),
      ask('fleetBroken', { cluster }),
      ask('qualityGet', { cluster }),
      ask('findingsList', { cluster, range }),
    ])
    return {
      ...aboutOf(found, '/alerts', { range }),
      says: [...textsOf(alerts.says), ...textsOf(broken.says)],
      firing: alerts.total,
      alerts: alerts.firing.slice(0, limit),
      brokenGpus: broken.gpus.length,
      broken: broken.gpus.slice(0, limit).map(({ id, problem, workloads, ...each }) => ({
        ...each,
        gpu: id,
        problem: problem.message,
        holders: workloads.slice(0, 10),
      })),
      telemetry: {
        devices: quality.devices,
        measured: quality.measuredDevices,
        reasons: quality.reasons
          .slice(0, limit)
          .map(({ text, devices, examples }) => ({ says: text, devices, examples: examples.slice(0, 5) })),
      },
      findingCount: found.findings.length,
      findings: found.findings.slice(0, limit),
    }
  },
})
