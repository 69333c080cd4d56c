import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { tell } from '../../../api.ts'
import { failureWords } from '../../client/failure-words.ts'

export type OfferedContext = {
  readonly name: string
  readonly server: string
  readonly signsInBy: string
  readonly isCurrent: boolean
  readonly refused: string | null
}

type Contexts = { readonly offered: readonly OfferedContext[] | undefined; readonly problem: string | undefined }

/** Which contexts a kubeconfig offers, as the server reads it. */
export function useContexts(kubeconfig: string): Contexts {
  const text = useDeferredValue(kubeconfig)
  const { data, error } = useQuery({
    queryKey: ['connectionsContexts', text],
    queryFn: () => tell('connectionsContexts', { kubeconfig: text }),
    enabled: text.trim() !== '',
    retry: false,
    // It holds secrets, so nothing of it stays in memory once it is not shown.
    gcTime: 0,
  })
  return { offered: data?.contexts, problem: error === null ? undefined : failureWords(error) }
}
