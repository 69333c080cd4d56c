import { CORDON_TAINT } from '../../cluster/scheduling.ts'
import { WHOLE_GPU_RESOURCE } from '../../plan/state/gpu-state.ts'
import type { KeepFree } from '../../plan/words/action.ts'
import { keptGpus } from '../../plan/words/kept-gpus.ts'
import { firstFew, plural } from '../../words.ts'
import type { LiveObject } from '../cluster-writer.ts'
import { listAt, textAt, valueAt } from '../live-object.ts'
import { podName, hasEnded } from '../nodes/pods-that-leave.ts'
import { done, seeing, waiting, type Answer, type Deciding, type Question, type StepContext } from './decision.ts'
import { nodeRef, podsBoundTo } from './node-steps.ts'

/**
 * Looks whether the GPUs of an appointment are free. Until its instant whoever is in the way is waited for; from then on it says
 * who still is, and the fence stays: to open it would take the other GPUs from the work that comes.
 */
export function* decideKeepFree(action: KeepFree, { isRehearsal, now }: StepContext): Deciding {
  const wanted = keptGpus(action.nodes)
  const where = `${plural(wanted, 'GPU')} on ${plural(action.nodes.length, 'node')}`
  if (isRehearsal) return done(`${where} are looked at when it is time.`)
  const short: string[] = []
  let missing = 0
  for (const each of action.nodes) {
    const flaw = yield* whatIsMissing(each, action)
    if (flaw === undefined) continue
    missing += flaw.gpus
    short.push(flaw.because)
  }
  if (missing === 0) return done(`${where} are free for the appointment.`)
  const because = `${wanted - missing} of ${where} are free. ${short.join(' ')}`
  if (now < action.at) return waiting(because, Infinity)
  return done(`${because} The nodes stay closed to others: evict what is in the way by hand, or undo the appointment.`)
}

type Missing = { readonly gpus: number; readonly because: string }

function* whatIsMissing(
  { node: name, gpus }: KeepFree['nodes'][number],
  action: KeepFree,
): Generator<Question, Missing | undefined, Answer> {
  const node = yield* seeing(nodeRef(name))
  if (node === undefined) return { gpus, because: `${name} is no longer in the cluster.` }
  const offered = Number(valueAt(node, 'status', 'allocatable', WHOLE_GPU_RESOURCE) ?? 0)
  const pods = yield* podsBoundTo(name)
  const holders = pods.flatMap((pod) => {
    const held = hasEnded(pod) || isTheirs(pod, action) ? 0 : gpusOf(pod)
    return held === 0 ? [] : [{ pod: podName(pod), held }]
  })
  const free = Math.max(0, offered - holders.reduce((sum, { held }) => sum + held, 0))
  if (free >= gpus) return undefined
  const who =
    holders.length === 0
      ? `it offers ${plural(offered, 'GPU')}`
      : `${firstFew(
          holders.map(({ pod }) => pod),
          5,
        )} hold GPUs there`
  return { gpus: gpus - free, because: `${name} has ${free} of ${gpus} free: ${who}.` }
}

/** Work that the GPUs are kept for may be there already: it carries what lets it in. */
function isTheirs(pod: LiveObject, { namespace }: KeepFree): boolean {
  if (namespace !== undefined && textAt(pod, 'metadata', 'namespace') !== namespace) return false
  return listAt(pod, 'spec', 'tolerations').some((toleration) => textAt(toleration, 'key') === CORDON_TAINT)
}

const gpusOf = (pod: LiveObject): number =>
  listAt(pod, 'spec', 'containers').reduce<number>(
    (sum, container) => sum + Number(valueAt(container, 'resources', 'limits', WHOLE_GPU_RESOURCE) ?? 0),
    0,
  )
