import { notReady } from '@septet/contract'
import type { Plan } from '@septet/domain'
import type { PlanFile } from '@septet/plan-files'

import type { ClusterFacts } from '../../facts.ts'

/** A plan as the directory that can be applied by hand; throws a `Refusal` where the cluster was not read, or has changed. */
export async function exportedFiles(facts: ClusterFacts, plan: Plan, what: string): Promise<PlanFile[]> {
  const exported = await facts.files(plan)
  if (exported === undefined) {
    throw notReady(
      `${facts.record.name} has not been read since Septet started, so the files of "${what}" cannot be written.`,
      'Try again in a few seconds; the list already shows the steps.',
    )
  }
  if (exported.kind === 'files') return exported.files.map((file) => ({ ...file }))
  throw notReady(
    `The change cannot be written as files: ${exported.because.join(' ')}`,
    'The cluster may have changed since; the next recommendations come within a minute.',
  )
}
