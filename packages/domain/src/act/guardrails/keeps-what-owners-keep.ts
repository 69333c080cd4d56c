import { namespaceOf } from '../../cluster/held-by.ts'
import type { Workload } from '../../cluster/workload.ts'
import { firstReason } from '../../plan/guardrail/guardrail.ts'
import { coversName, protectedWords } from '../../plan/guardrail/keeps-pods.ts'
import { type Keep, keepAmong, keepWords } from '../owners/keep.ts'
import { whyNotWritten } from '../owners/owner-of-object.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'
import { whereProtected } from '../policy/where-protected.ts'
import type { ActContext, ActRule } from './act-context.ts'
import { nameOf } from './words.ts'

/** What its owner wants kept stays as it is: by what live objects say, and by the labels that all pods of a workload carry. */
export const keepsWhatOwnersKeep: ActRule = (context) =>
  firstReason(said(context), ({ object, keep }) => {
    const words = keepWords(keep, context.now)
    return words && `${nameOf(object)} ${words}. Leave it, or remove that first.`
  })

const said = ({
  objects,
  touched,
  state,
}: ActContext): ReadonlyArray<{ readonly object: string; readonly keep: Keep }> => [
  ...objects,
  ...touched.workloads.map((id) => ({
    object: `workload/${id}`,
    keep: keepAmong(state.workloads.get(id)?.labels ?? {}),
  })),
]

/** What another controller makes is not written: it would be changed back, whoever applies it. Its pods may be moved. */
export const leavesForeignObjects: ActRule = ({ written }) => reasonsAmong(written).foreign[0]

/** Neither is what git keeps: whoever has the branch applies it. */
export function leavesToGit({ written }: ActContext): string | undefined {
  const { foreign, git } = reasonsAmong(written)
  return foreign.length === 0 ? git[0] : undefined
}

function reasonsAmong(written: ActContext['written']): Record<'foreign' | 'git', readonly string[]> {
  const of = (isGit: boolean): readonly string[] =>
    written.flatMap(({ object, owner }) =>
      (owner.kind === 'gitops') === isGit ? (whyNotWritten(owner, nameOf(object)) ?? []) : [],
    )
  return { foreign: of(false), git: of(true) }
}

/** Replicas that an autoscaler would set back are not changed; one that can be paused is no reason to refuse. */
export const leavesAutoscaledWork: ActRule = ({ written }) =>
  written.flatMap(({ autoscaler }) => (autoscaler?.kind === 'refuse' ? autoscaler.because : []))[0]

/** Nothing in a protected namespace is changed, stopped, or put at risk by a node that may restart. */
export const keepsProtectedNamespaces: ActRule = ({ touched, ...rules }) =>
  firstReason([...touched.pods, ...touched.workloads], (id) => {
    const where = whereProtected(namespaceOf(id), rules)
    return where && protectedWords(id, namespaceOf(id), where)
  })

/** Work with a protected label is left alone, and so is work of which nobody knows the labels. */
export const keepsProtectedLabels: ActRule = ({ touched, state, policy }) => {
  const wanted = Object.entries(policy.protectedLabels)
  if (wanted.length === 0) return undefined
  const workloads = touched.workloads.flatMap((id) => state.workloads.get(id) ?? [])
  return firstReason(workloads, (workload) => whyKept(workload, wanted))
}

function whyKept({ id, labels }: Workload, wanted: ReadonlyArray<readonly [string, string]>): string | undefined {
  if (labels === undefined) {
    return `The labels of ${id} are unknown, so it may be protected. Wait until its pods were read.`
  }
  const found = wanted.find(([key, value]) => Object.hasOwn(labels, key) && coversName(value, labels[key] ?? ''))
  return found === undefined
    ? undefined
    : `${id} has the label ${found[0]}=${labels[found[0]]}, which is protected in ${WHERE_POLICIES_ARE}. Leave it, or remove the label from that list.`
}
