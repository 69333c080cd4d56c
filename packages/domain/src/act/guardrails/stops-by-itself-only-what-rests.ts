import { percent } from '../../words.ts'
import { indexSamples, telemetryOf } from '../../analyze/part-telemetry.ts'
import { DEFAULT_POLICY } from '../../analyze/policy.ts'
import { type ActContext, type ActRule, refusing } from './act-context.ts'
import { partsOn } from './parts-on.ts'

/** What Septet approved itself stops no work that is busy at that moment, though it may idle most of its time. */
export const stopsByItselfOnlyWhatRests: ActRule = (context) =>
  refusing('works-now', context.approval?.kind === 'septet' ? whyNotNow(context) : undefined)

function whyNotNow({ run, state, snapshot, samples }: ActContext): string | undefined {
  const stopped = new Set(
    run.plan.steps.flatMap(({ action }) => (action.kind === 'scale' && action.to === 0 ? action.workload : [])),
  )
  if (stopped.size === 0) return undefined
  const touched = new Set([...state.pods.values()].flatMap(({ workload, node }) => (stopped.has(workload) ? node : [])))
  const nodes = snapshot.nodes.filter(({ name }) => touched.has(name))
  const gpus = new Set(nodes.flatMap((node) => node.gpus.map(({ id }) => id)))
  const index = indexSamples(samples.filter(({ gpu }) => gpus.has(gpu)))
  for (const part of partsOn(nodes, state)) {
    const busy = stopped.has(part.workload) ? telemetryOf(part, index).busy : undefined
    if (busy === undefined || busy <= DEFAULT_POLICY.idle.threshold) continue
    return `${part.pod} is ${percent(busy, 0)} busy now, so it is not stopped. Septet waits until it rests.`
  }
  return undefined
}
