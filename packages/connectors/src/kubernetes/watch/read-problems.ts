import type { Problem } from '@septet/domain'
import { ApiError, StreamCutError } from '../connect/api-error.ts'
import { ConnectError, sayError } from '../connect/connect-error.ts'
import type { EventLog } from './event-log.ts'
import type { MirroredName, MirrorSet } from './mirror-set.ts'
import type { OwnerLookup } from './owner-lookup.ts'
import { qualified, ruleOf, type ResourceName } from '../connect/resources.ts'

/** What could not be read of a cluster that does answer, each by its name, with what is done instead. */
export function readProblems(
  {
    mirrors,
    owners,
    events,
  }: {
    readonly mirrors: MirrorSet
    readonly owners: Pick<OwnerLookup, 'troubles'>
    readonly events: Pick<EventLog, 'trouble'>
  },
  options: { readonly operatorNamespace: string },
): readonly Problem[] {
  const withMig = [...mirrors.values('nodes')].some(({ mig }) => mig.strategy !== 'none')
  const problems: Problem[] = []
  for (const [name, trouble] of mirrors.troubles()) {
    // Without MIG the operator's ConfigMaps say nothing we need, and its namespace may not even exist.
    if (name === 'configmaps' && !withMig) continue
    problems.push(...troubleProblem(name, trouble, options.operatorNamespace))
    problems.push(...unreadableProblems(name, mirrors.unreadable(name)))
  }
  for (const [name, trouble] of owners.troubles()) {
    problems.push(...troubleProblem(name, trouble, options.operatorNamespace))
  }
  problems.push(...troubleProblem('events', events.trouble(), options.operatorNamespace))
  return problems
}

const GRANTS = { cluster: 'deploy/reader-clusterrole.yaml', operator: 'deploy/reader-operator-role.yaml' }

function troubleProblem(name: ResourceName, trouble: Error | undefined, operatorNamespace: string): readonly Problem[] {
  if (trouble === undefined || isSaidElsewhere(name, trouble)) return []
  const { without, use, scope } = ruleOf(name)
  const verb = /cannot (\w+) resource/.exec(trouble.message)?.[1] ?? (use === 'lookup' ? 'get' : 'list')
  if (statusOf(trouble) !== 403) {
    const message = `cannot ${verb} ${name}: ${sayError(trouble)}; the data read before is used, or ${without}; Septet retries automatically.`
    return [{ code: 'unreadable-resource', message, object: name }]
  }
  const where = scope === 'operator' ? ` in namespace ${operatorNamespace}` : ''
  const message = `cannot ${verb} ${name}: the reader's role lacks ${verb} on ${qualified(name)}${where}; ${without}; grant it with ${GRANTS[scope]}.`
  return [{ code: 'forbidden', message, object: name }]
}

// That the server cannot be reached or refuses us is said once, by the connection; an API that is not installed never.
const isSaidElsewhere = (name: ResourceName, trouble: Error): boolean =>
  trouble instanceof ConnectError ||
  trouble instanceof StreamCutError ||
  statusOf(trouble) === 401 ||
  (statusOf(trouble) === 404 && ruleOf(name).discovered)

const statusOf = (trouble: Error): number => (trouble instanceof ApiError ? trouble.status : 0)

const MOST_NAMED = 5

function unreadableProblems(name: MirroredName, unreadable: ReadonlyMap<string, string>): readonly Problem[] {
  const named = [...unreadable].slice(0, MOST_NAMED).map(([key, why]): Problem => ({
    code: 'unreadable-object',
    message: `one of ${name} cannot be understood (${key}: ${why}); it is left out or stays as it was, the others are read.`,
    object: `${name}/${key}`,
  }))
  const more = unreadable.size - named.length
  if (more <= 0) return named
  const message = `${more} more of ${name} cannot be understood; they are left out or stay as they were.`
  return [...named, { code: 'unreadable-object', message, object: name }]
}
