import type { OPERATIONS, OutputOf } from '@septet/contract'

export const MOST_BARS = 12

/** The GPUs of nodes as slice bars, as many as help to read. */
export const bars = (title: string, nodes: OutputOf<typeof OPERATIONS.partitionsList>['nodes']) =>
  nodes.length === 0
    ? undefined
    : {
        kind: 'slices' as const,
        title,
        gpus: nodes.flatMap(({ node, gpus }) => gpus.map((gpu) => ({ node, gpu }))).slice(0, MOST_BARS),
      }
