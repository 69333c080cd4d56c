import type { Workload } from '../../cluster/workload.ts'
import { coversName } from '../../plan/guardrail/keeps-protected-namespaces.ts'
import { type ActRule, refusing } from './act-context.ts'
import { WHERE_POLICIES_ARE } from '../policy/where-policies-are.ts'

/** Work with a protected label is left alone, and so is work of which nobody knows the labels. */
export const keepsProtectedLabels: ActRule = ({ touched, state, policy }) => {
  const wanted = Object.entries(policy.protectedLabels)
  if (wanted.length === 0) return undefined
  for (const workload of touched.workloads.flatMap((id) => state.workloads.get(id) ?? [])) {
    const because = whyKept(workload, wanted)
    if (because !== undefined) return refusing('protected-label', because)
  }
  return undefined
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
