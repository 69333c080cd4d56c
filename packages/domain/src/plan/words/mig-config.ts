import { compareText } from '../../units.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { Geometry } from '../../gpu/layout.ts'
import type { Action, GpuChange } from './action.ts'
import { contentHash } from './content-hash.ts'

/** A mig-parted file, version v1, as NVIDIA/mig-parted's `api/spec/v1` reads it. */
export type MigPartedDocument = {
  readonly version: 'v1'
  readonly 'mig-configs': Readonly<Record<string, readonly MigPartedEntry[]>>
}

/** `mig-devices` is there exactly when MIG is enabled; profiles keep their `+` and `-`. */
export type MigPartedEntry = {
  readonly devices: readonly number[] | 'all'
  readonly 'mig-enabled': boolean
  readonly 'mig-devices'?: Readonly<Record<ProfileName, number>>
}

type Repartition = Extract<Action, { readonly kind: 'repartition' }>

/** The mig-parted file with the configurations of these repartitions. */
export const migPartedOf = (repartitions: readonly Repartition[]): MigPartedDocument => ({
  version: 'v1',
  'mig-configs': Object.fromEntries(
    repartitions
      .map(({ config, gpus }) => [config, migConfigEntries(gpus)] as const)
      .toSorted(([a], [b]) => compareText(a, b)),
  ),
})

type WishedGpu = Pick<GpuChange, 'index' | 'to'>

/** The entries for all GPUs of a node; GPUs of equal geometry share one. */
export function migConfigEntries(gpus: readonly WishedGpu[]): readonly MigPartedEntry[] {
  const groups = new Map<string, { readonly to: GpuChange['to']; readonly devices: number[] }>()
  for (const { index, to } of gpus.toSorted((a, b) => a.index - b.index)) {
    const key = JSON.stringify([to.migEnabled, sorted(to.geometry)])
    const group = groups.get(key) ?? { to, devices: [] }
    groups.set(key, group)
    group.devices.push(index)
  }
  return [...groups.values()].map(({ to, devices }): MigPartedEntry =>
    to.migEnabled
      ? { devices, 'mig-enabled': true, 'mig-devices': sorted(to.geometry) }
      : { devices, 'mig-enabled': false },
  )
}

/**
 * The name of a configuration, made from what it says, because mig-manager reacts to a change of the label's value only:
 * one name never stands for two contents. Where the node already wears that name, so that setting it would do nothing,
 * the name gets another ending.
 */
export function migConfigName(gpus: readonly WishedGpu[], worn: string | undefined): string {
  const name = `septet-${contentHash(JSON.stringify(migConfigEntries(gpus)))}`
  return name === worn ? `${name}-again` : name
}

function sorted(geometry: Geometry): Readonly<Record<ProfileName, number>> {
  const entries = Object.entries(geometry).filter(([, count]) => count > 0)
  return Object.fromEntries(entries.toSorted(([a], [b]) => compareText(a, b)))
}
