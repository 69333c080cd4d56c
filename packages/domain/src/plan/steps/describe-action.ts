import { gpusText, plural } from '../../words.ts'
import { geometryOf } from '../../gpu/layout.ts'
import type { Action, GpuChange } from '../words/action.ts'
import { stepsByKind } from '../words/by-kind.ts'
import { keptGpus } from '../words/kept-gpus.ts'
import { geometryWords, stepRequestWords, sharingWords } from './step-words.ts'

/** What an action does in a few words, without looking at any cluster: for lists of steps and of ways back. */
export const describeAction = (action: Action): string =>
  stepsByKind<Action, string>(action, {
    cordon: ({ node }) => `Cordon ${node}`,
    uncordon: ({ node }) => `Uncordon ${node}`,
    evict: ({ pod }) => `Evict ${pod}`,
    repartition: ({ node, gpus }) => `Repartition ${node}: ${cutWords(gpus)}`,
    'create-instance': ({ gpu, instance }) => `Make ${instance.profile} on GPU ${gpu}`,
    'delete-instance': ({ gpu, instance }) => `Remove ${instance.profile} from GPU ${gpu}`,
    resize: ({ workload, to }) => `Give each pod of ${workload} ${stepRequestWords(to)}`,
    scale: ({ workload, to }) => `Scale ${workload} to ${to}`,
    share: ({ node, to }) => `Share the GPUs of ${node}: ${sharingWords(to)}`,
    'remove-node': ({ node }) => `Remove ${node}`,
    'keep-free': ({ nodes, profile }) =>
      `Keep ${gpusText(keptGpus(nodes), profile)} on ${plural(nodes.length, 'node')} free`,
    reschedule: ({ workload, to }) =>
      to.pool === '' && to.model === ''
        ? `Let ${workload} run as it was allowed before`
        : `Let ${workload} run on ${[to.model, to.pool].filter((part) => part !== '').join(' in ')}`,
  })

/** The GPUs that change, those with one geometry together: `GPU 0, 1: 7 × 1g.10gb; GPU 4: a whole GPU`. */
function cutWords(gpus: readonly GpuChange[]): string {
  const changed = gpus.filter(
    ({ from, to }) =>
      geometryWords(to) !== geometryWords({ migEnabled: from.migEnabled, geometry: geometryOf(from.layout) }),
  )
  return [...Map.groupBy(changed, ({ to }) => geometryWords(to))]
    .map(([words, own]) => `GPU ${own.map(({ index }) => index).join(', ')}: ${words}`)
    .join('; ')
}
