import { invalidInput } from '@septet/contract'
import { ConnectError, offeredContexts } from '@septet/connectors'

import { IN_CLUSTER } from './stored-connections.ts'

/** What can be shown of a kubeconfig that holds one context. */
export function contextsSeenIn(kubeconfig: string): { readonly server: string; readonly signsInBy: string } {
  if (kubeconfig === IN_CLUSTER) return { server: IN_CLUSTER, signsInBy: 'service account of the pod' }
  const [context] = offeredContexts(kubeconfig)
  return { server: context?.server ?? '', signsInBy: context?.signsInBy ?? '' }
}

/** What a connector says of a kubeconfig, as a refusal. */
export async function understood<Value>(attempt: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await attempt()
  } catch (error) {
    const known = error instanceof ConnectError || (error instanceof Error && error.name === 'ConnectError')
    if (!known) throw error
    throw invalidInput(error.message, 'Correct the kubeconfig, or choose another context.')
  }
}
