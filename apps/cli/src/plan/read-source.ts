import { existsSync, readFileSync } from 'node:fs'

import { readSnapshotFile } from '@septet/plan-files'
import type { ClusterSnapshot } from '@septet/domain'

import type { ProgressLine } from '../progress.ts'
import type { OwnSource, PlanSource, PlanEnvironment } from './plan-options.ts'

export type SourcePorts = {
  readonly environment: PlanEnvironment
  readonly progress: ProgressLine
  readonly snapshotOf: (source: Omit<PlanSource, 'kind'>) => Promise<ClusterSnapshot>
}

/** The state of the cluster that a plan is asked for. Throws with the reason where there is none. */
export async function readSource(source: OwnSource, { snapshotOf, progress }: SourcePorts): Promise<ClusterSnapshot> {
  if (source.kind !== 'snapshot') return snapshotOf(source.kind === 'demo' ? demoSource(source) : source)
  progress.step(0, 2, 'reading the snapshot')
  const read = readSnapshotFile(textOf(source.file))
  if (read.kind === 'read') return read.snapshot
  progress.end()
  throw new Error(`${source.file} is not a usable snapshot:\n  ${read.errors.join('\n  ')}`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`, { cause: error })
    throw error
  }
}

/** The demo cluster answers for its metrics engine too, at the address of its API. */
function demoSource(source: PlanSource): PlanSource {
  if (!existsSync(source.kubeconfig))
    throw new Error(`The demo cluster does not run here: ${source.kubeconfig} is not there. npm start runs it.`)
  const address = /server: https(:\S+)/u.exec(readFileSync(source.kubeconfig, 'utf8'))?.[1]
  if (source.prometheusUrl !== undefined || address === undefined) return source
  return { ...source, prometheusUrl: `http${address}/prometheus` }
}
