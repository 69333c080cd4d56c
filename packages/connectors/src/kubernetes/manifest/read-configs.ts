import type { ConfigFile } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import { readYaml, readYamlDocuments } from '../read-yaml.ts'
import { itemsIn, objectIn, textIn, type Raw } from './raw.ts'

/** The files of a text that configure GPUs: of nvidia-mig-parted, the device plugin or the GPU Operator. Throws where it is no YAML. */
export const readConfigs = (text: string): readonly ConfigFile[] =>
  readYamlDocuments(text).flatMap((document) => configsIn(objectIn(document)))

function configsIn(raw: Raw): readonly ConfigFile[] {
  const [kind, name] = [textIn(raw, 'kind'), textIn(raw, 'metadata', 'name')]
  if (kind === 'List') return itemsIn(raw, 'items').flatMap((item) => configsIn(objectIn(item)))
  // Kyverno has a ClusterPolicy too.
  if (kind === 'ClusterPolicy' && textIn(raw, 'apiVersion').startsWith('nvidia.com/'))
    return [
      { kind: 'cluster-policy', title: `ClusterPolicy ${name}`, entries: [{ key: name, content: raw }], errors: [] },
    ]
  if (kind === 'ConfigMap') return configsOfMap(raw, `ConfigMap ${name}`)
  const own = kindOf(raw)
  return kind !== '' || own === undefined
    ? []
    : [{ kind: own, title: `${TITLES[own]} file`, entries: [{ key: '', content: raw }], errors: [] }]
}

const TITLES = { 'mig-parted': 'nvidia-mig-parted', 'device-plugin': 'device plugin' } as const

function kindOf(raw: Raw): keyof typeof TITLES | undefined {
  if ('mig-configs' in raw) return 'mig-parted'
  return ['sharing', 'flags'].some((field) => field in raw) || raw['version'] === 'v1' ? 'device-plugin' : undefined
}

/** The device plugin takes one of several keys; mig-manager reads one alone. */
function configsOfMap(raw: Raw, title: string): readonly ConfigFile[] {
  const read = Object.entries(objectIn(raw, 'data')).flatMap(([key, value]) => entryOf(key, value))
  const kinds = Map.groupBy(read, ({ kind }) => kind)
  return [...kinds].map(([kind, all]) => {
    const keys = all.map(({ key }) => key)
    const misplaced = kind === 'mig-parted' && !keys.includes('config.yaml')
    return {
      kind,
      title,
      entries: all.flatMap(({ key, content }) => (content === undefined ? [] : { key, content })),
      errors: [
        ...all.flatMap(({ error }) => error ?? []),
        ...(misplaced ? [`mig-manager reads the key config.yaml, and it is ${keys.join(', ')}.`] : []),
      ],
    }
  })
}

type Entry = {
  readonly kind: ConfigFile['kind']
  readonly key: string
  readonly content?: unknown
  readonly error?: string
}

function entryOf(key: string, value: unknown): readonly Entry[] {
  if (typeof value !== 'string') return []
  try {
    const content = objectIn(readYaml(value))
    const kind = kindOf(content)
    return kind === undefined ? [] : [{ kind, key, content }]
  } catch (error) {
    const kind = /^mig-configs:/mu.test(value)
      ? 'mig-parted'
      : /^(?:sharing|flags):/mu.test(value)
        ? 'device-plugin'
        : undefined
    return kind === undefined ? [] : [{ kind, key, error: `${key} cannot be read as YAML: ${errorText(error)}.` }]
  }
}
