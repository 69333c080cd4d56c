import { compareText, onceFor, type GpuPart, type WorkloadId } from '@septet/domain'

import type { ClusterPicture } from '../../facts.ts'
import { nodePictures, pictureParts, type NodePicture } from '../answering/node-pictures.ts'

/** What one workload holds now. */
export type Holding = {
  readonly parts: ReturnType<typeof pictureParts>
  /** GPU-equivalents. */
  readonly gpus: number
}

/** What every workload of a picture holds; every row of a table asks for it. */
export const holdingsOf: (picture: ClusterPicture) => ReadonlyMap<WorkloadId, Holding> = onceFor((picture) => {
  const grouped = Map.groupBy(nodePictures(picture).flatMap(heldOn), ({ workload }) => workload)
  return new Map(
    [...grouped].map(([id, parts]) => [id, { parts, gpus: parts.reduce((sum, { share }) => sum + share, 0) }]),
  )
})

const heldOn = onceFor((one: NodePicture) => pictureParts(one).filter(({ kind }) => kind === 'held'))

/** GPU-equivalents of it that are idle-held now. */
export const idleHoldings = ({ parts }: Holding, idle: ReadonlySet<string>): number =>
  parts.reduce((sum, { partition, share }) => sum + (idle.has(partition) ? share : 0), 0)

/** "3g.40gb", "1/4 GPU", "whole GPU". */
export function holdingShape({ profile, share }: Pick<GpuPart, 'profile' | 'share'>): string {
  if (profile !== '') return profile
  return share > 0 && share < 1 ? `1/${Math.round(1 / share)} GPU` : 'whole GPU'
}

/** What it holds, counted by shape and model. */
export function countedParts({ parts }: Holding): { shape: string; model: string; count: number }[] {
  const counts = new Map<string, { shape: string; model: string; count: number }>()
  for (const part of parts) {
    const shape = holdingShape(part)
    const key = `${shape} ${part.model}`
    const before = counts.get(key)
    counts.set(key, { shape, model: part.model, count: (before?.count ?? 0) + 1 })
  }
  return [...counts].toSorted(([a], [b]) => compareText(a, b)).map(([, counted]) => counted)
}
