import { errorText } from '@septet/domain/words'
import { readConfigs } from '@septet/connectors'
import type { GpuNode, GpuTarget } from '@septet/domain'
import { targetsOfConfig, type MigFile } from '@septet/domain/testing'

export type MigPartedImport =
  | {
      readonly kind: 'read'
      /** Names of the configurations in the file. */
      readonly configs: readonly string[]
      /** What GPUs become, for the nodes that were given. */
      readonly targets: readonly GpuTarget[]
    }
  /** Each sentence says what is wrong and where. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }

/**
 * Reads an existing mig-parted file. Its schema is checked, and every geometry against the boards: of the nodes that are to
 * wear a configuration, else some board must hold it. A name such as `all-balanced` says nothing by itself here: only what
 * the file says under it counts.
 */
export function readMigParted(
  text: string,
  wearers: ReadonlyArray<{ readonly config: string; readonly node: GpuNode }> = [],
): MigPartedImport {
  const file = readMigFile(text)
  if (typeof file === 'string') return { kind: 'refused', errors: [file] }
  const imported = targetsOfConfig(file, wearers)
  return imported.kind === 'refused'
    ? imported
    : { kind: 'read', configs: file.configs.map(({ name }) => name).toSorted(), targets: imported.targets }
}

/** A sentence where it is none. */
function readMigFile(text: string): MigFile | string {
  try {
    const [file] = readConfigs(text)
    return file?.kind === 'mig-parted' ? file : 'A mig-parted file is a mapping with version and mig-configs.'
  } catch (error) {
    return `The file is no YAML: ${errorText(error)}`
  }
}
