import type { GpuNode } from '../../cluster/node.ts'
import { arrange } from '../../gpu/infer-placements.ts'
import type { Layout } from '../../gpu/layout.ts'
import type { GpuTarget } from '../words/action.ts'
import { boardOf } from '../../fleet/gpu-state.ts'
import { entryFor, type MigEntry } from './mig-entry.ts'
import { validateMigParted, type ConfigWearer, type MigFile } from './validate-mig-parted.fixture.ts'

export type ImportedTargets =
  | { readonly kind: 'targets'; readonly targets: readonly GpuTarget[] }
  | { readonly kind: 'refused'; readonly errors: readonly string[] }

/**
 * What the GPUs of nodes become under configurations of a mig-parted file. Where instances start is inferred:
 * mig-parted chooses it itself. Impossible layouts are refused with the reason.
 */
export function targetsOfConfig(file: MigFile, wearers: readonly ConfigWearer[]): ImportedTargets {
  const errors = validateMigParted(file, wearers)
  if (errors.length > 0) return { kind: 'refused', errors }
  const targets = wearers.flatMap(({ config, node }) =>
    targetsOn(node, file.configs.find(({ name }) => name === config)?.content ?? []),
  )
  return { kind: 'targets', targets }
}

const targetsOn = (node: GpuNode, entries: readonly MigEntry[]): readonly GpuTarget[] =>
  node.gpus.flatMap((gpu) => {
    const entry = entryFor(entries, gpu)
    if (entry === undefined) return []
    return { gpu: gpu.id, migEnabled: entry.migEnabled, layout: layoutOf(entry, boardOf(gpu)) }
  })

function layoutOf({ geometry }: MigEntry, board: ReturnType<typeof boardOf>): Layout {
  const names = Object.entries(geometry).flatMap(([name, count]) => Array.from({ length: count }, () => name))
  const arrangement = board === undefined ? undefined : arrange(board, names)
  return arrangement?.kind === 'feasible' ? arrangement.layout : []
}
