import { agree } from '@septet/domain/words'
import { notSignedIn, type Refusal, type Operation, notAllowed } from '@septet/contract'
import { mayActAs, type Caller } from '@septet/domain'

/** Why a caller may not ask an operation, in words they can act on; undefined when they may. */
export function permissionRefusal(operation: Operation, caller: Caller): Refusal | undefined {
  return refusedByRole(operation, caller) ?? refusedByReach(operation, caller)
}

function refusedByRole({ title, role, effect }: Operation, caller: Caller): Refusal | undefined {
  const mayAsk = mayActAs(caller.role, role)
  if (caller.kind === 'visitor') {
    return mayAsk && effect === 'read'
      ? undefined
      : notSignedIn(`"${title}" is not available to visitors, who have read-only access.`)
  }
  if (mayAsk) return undefined
  return notAllowed(
    `"${title}" requires the ${role} role; ${caller.name} is ${caller.role}.`,
    'Ask an admin for that role, or to do it for you.',
  )
}

function refusedByReach({ title, reach }: Operation, caller: Caller): Refusal | undefined {
  const { namespaces, clusters } = caller
  if ((reach === 'cluster' || reach === 'installation') && namespaces !== undefined) {
    return notAllowed(
      `"${title}" covers whole clusters; ${caller.name} may see ${listed('namespace', namespaces)} only.`,
      'Use an operation that works by namespace, or ask an admin for wider access.',
    )
  }
  if (reach === 'installation' && clusters !== undefined) {
    return notAllowed(
      `"${title}" covers all of Septet; ${caller.name} may see ${listed('cluster', clusters)} only.`,
      'Use a token that is not limited to clusters.',
    )
  }
  return undefined
}

const listed = (what: string, names: readonly string[]): string =>
  names.length === 0 ? `no ${what}` : `the ${agree(names.length, what)} ${names.join(', ')}`
