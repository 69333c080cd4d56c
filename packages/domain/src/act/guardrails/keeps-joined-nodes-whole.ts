import { gpusWantedWhole } from '../../plan/recommend/wanted-whole.ts'
import { changedGpus } from '../policy/blast-radius.ts'
import { type ActRule, refusing } from './act-context.ts'

/** No GPU is cut or shared on a node whose joined GPUs a job holds together, or waits for. */
export const keepsJoinedNodesWhole: ActRule = ({ run, state, snapshot }) => {
  const cut = run.plan.steps.flatMap(({ action }) => {
    const isCutting =
      action.kind === 'repartition' ||
      action.kind === 'create-instance' ||
      (action.kind === 'share' && action.to.kind !== 'none')
    return isCutting ? changedGpus(action, state) : []
  })
  if (cut.length === 0) return undefined
  const whole = gpusWantedWhole(snapshot)
  const wanted = cut.find((id) => whole.has(id))
  return refusing(
    'wanted-whole',
    wanted === undefined
      ? undefined
      : `GPU ${wanted} is on ${state.nodeOfGpu.get(wanted)}, whose joined GPUs (NVLink) a job holds together or waits for. Choose GPUs of another node, or wait for the job's end.`,
  )
}
