import { errorText } from '@septet/domain/words'
import type { GpuNode, GpuTarget } from '@septet/domain'
import { targetsOfConfig, validateMigParted } from '@septet/domain/testing'
import { parseDocument } from 'yaml'

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
  if (text.length > MOST_CHARACTERS) return { kind: 'refused', errors: ['The file is larger than 1 MiB.'] }
  const parsed = parseYaml(text)
  if (parsed.kind === 'refused') return parsed
  const errors = validateMigParted(parsed.document, wearers)
  if (errors.length > 0) return { kind: 'refused', errors }
  const imported = targetsOfConfig(parsed.document, wearers)
  if (imported.kind === 'refused') return imported
  return { kind: 'read', configs: configNames(parsed.document), targets: imported.targets }
}

const MOST_CHARACTERS = 1024 * 1024

type Parsed =
  | { readonly kind: 'parsed'; readonly document: unknown }
  | { readonly kind: 'refused'; readonly errors: readonly string[] }

function parseYaml(text: string): Parsed {
  const yaml = parseDocument(text, { uniqueKeys: true })
  if (yaml.errors.length > 0)
    return { kind: 'refused', errors: yaml.errors.map(({ message }) => `The file is no YAML: ${message}`) }
  try {
    const document: unknown = yaml.toJS({ maxAliasCount: 100 })
    return { kind: 'parsed', document }
  } catch (error) {
    return {
      kind: 'refused',
      errors: [`The file is no YAML: ${errorText(error)}`],
    }
  }
}

function configNames(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null || !('mig-configs' in document)) return []
  const configs = document['mig-configs']
  return typeof configs === 'object' && configs !== null ? Object.keys(configs).toSorted() : []
}
