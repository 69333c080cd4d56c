import { applyRecommendation } from './act/apply-recommendation.ts'
import type { ActTool } from './act/act-tool.ts'
import { controlActing } from './act/control-acting.ts'
import { draftPlanTool } from './plan/draft-plan.ts'
import { costBreakdownTool } from './read/cost-breakdown.ts'
import { explainQueue } from './read/explain-queue.ts'
import { explainWorkload } from './read/explain-workload.ts'
import { findProblems } from './read/find-problems.ts'
import { fleetSummary } from './read/fleet-summary.ts'
import { inspectGpus } from './read/inspect-gpus.ts'
import { listRecommendations } from './read/list-recommendations.ts'
import { listWorkloadsTool } from './read/list-workloads.ts'
import { savingsAndActions } from './read/savings-and-actions.ts'
import { search } from './read/search.ts'
import { utilizationTrendTool } from './read/utilization-trend.ts'
import { willItStart } from './read/will-it-start.ts'
import type { Tool } from './tool.ts'

/** What programs can ask, in the order in which they are told of it. */
export const TOOLS: readonly Tool[] = [
  fleetSummary,
  utilizationTrendTool,
  listWorkloadsTool,
  explainWorkload,
  explainQueue,
  willItStart,
  costBreakdownTool,
  findProblems,
  inspectGpus,
  listRecommendations,
  savingsAndActions,
  search,
  draftPlanTool,
]

/** What programs can have changed, once a person confirmed it. */
export const ACT_TOOLS: readonly ActTool[] = [applyRecommendation, controlActing]
