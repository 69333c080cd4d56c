import { namespaceOf } from '../../cluster/held-by.ts'
import { whereProtected } from '../policy/where-protected.ts'
import { type ActRule, refusing } from './act-context.ts'

/** Nothing in a protected namespace is changed, stopped, or put at risk by a node that may restart. */
export const keepsProtectedNamespaces: ActRule = ({ touched, ...rules }) => {
  for (const id of [...touched.pods, ...touched.workloads]) {
    const namespace = namespaceOf(id)
    const where = whereProtected(namespace, rules)
    if (where === undefined) continue
    const because = `${id} is in the namespace ${namespace}, which is protected in ${where}. Leave it, or remove the namespace from that list.`
    return refusing('protected-namespace', because)
  }
  return undefined
}
