import { OPERATIONS, type CopilotAnswer, type Operation, type OperationKey, type OutputOf } from '@septet/contract'
import { pageOf, recorded, type Ask } from '@septet/tools'
import type { z } from 'zod'

type Citation = CopilotAnswer['citations'][number]
/** What an operation is asked with. */
export type OperationInput<Key extends OperationKey> = z.input<(typeof OPERATIONS)[Key]['input']>

/** What was asked for an answer, and the number by which a sentence cites it. */
type Cited<Key extends OperationKey> = { readonly is: OutputOf<(typeof OPERATIONS)[Key]>; readonly cite: number }

/** Asks operations of one cluster, and keeps what each answer can be checked by. */
export type FixedReading = {
  readonly citations: readonly Citation[]
  /** Asks, and cites it. `page` is a path below `/dashboard`, with its query. Throws the `Refusal` of the operation. */
  from<Key extends OperationKey>(key: Key, input: OperationInput<Key>, page: string): Promise<Cited<Key>>
  /** The address of a page for this cluster. */
  page(path: string): string
}

/** What speaks of all of Septet is asked without a cluster. */
const TAKES_CLUSTER: ReadonlySet<string> = new Set(
  Object.entries<Operation>(OPERATIONS).flatMap(([key, { input }]) => ('cluster' in input.shape ? [key] : [])),
)

export function openFixedReading(ask: Ask, cluster: string | undefined): FixedReading {
  const citations: Citation[] = []
  const page = (path: string): string => {
    const [place = '', query = ''] = path.split('?')
    return pageOf(place, { cluster, ...Object.fromEntries(new URLSearchParams(query)) }).replace(/\?$/u, '')
  }
  return {
    citations,
    page,
    async from(key, input, path) {
      const { recording, sources } = recorded(ask)
      const is = await recording(key, { ...input, ...(TAKES_CLUSTER.has(key) ? { cluster } : {}) })
      const number = citations.length + 1
      const asOf = 'asOf' in is && typeof is.asOf === 'string' ? is.asOf : null
      citations.push({ number, title: OPERATIONS[key].title, source: sources()[0] ?? '', page: page(path), asOf })
      return { is, cite: number }
    },
  }
}
