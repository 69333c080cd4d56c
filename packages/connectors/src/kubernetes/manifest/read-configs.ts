import { isLabelValue, type ConfigFile } from '@septet/domain'
import { errorText } from '@septet/domain/words'
import type { z } from 'zod'
import { readYaml, readYamlDocuments } from '../read-yaml.ts'
import { MIG_ENTRIES, MIG_FILE, PLUGIN, POLICY } from './config-schemas.ts'
import { itemsIn, objectIn, textIn, type Raw } from './raw.ts'
import { readBySchema } from './read-by-schema.ts'

/** The files of a text that configure GPUs: of nvidia-mig-parted, the device plugin or the GPU Operator. Throws where it is no YAML. */
export const readConfigs = (text: string): readonly ConfigFile[] =>
  readYamlDocuments(text).flatMap((document) => configsIn(objectIn(document)))

function configsIn(raw: Raw): readonly ConfigFile[] {
  const [kind, name] = [textIn(raw, 'kind'), textIn(raw, 'metadata', 'name')]
  if (kind === 'List') return itemsIn(raw, 'items').flatMap((item) => configsIn(objectIn(item)))
  // Kyverno has a ClusterPolicy too.
  if (kind === 'ClusterPolicy' && textIn(raw, 'apiVersion').startsWith('nvidia.com/')) {
    const { configs, errors } = namedBy(POLICY, [['', raw]])
    return [{ kind: 'cluster-policy', title: `ClusterPolicy ${name}`, configs, errors }]
  }
  if (kind === 'ConfigMap') return configsOfMap(raw, `ConfigMap ${name}`)
  const own = kindOf(raw)
  return kind !== '' || own === undefined ? [] : [READERS[own]([['', raw]], `${TITLES[own]} file`)]
}

const TITLES = { 'mig-parted': 'nvidia-mig-parted', 'device-plugin': 'device plugin' } as const

function kindOf(raw: Raw): keyof typeof TITLES | undefined {
  if ('mig-configs' in raw) return 'mig-parted'
  return ['sharing', 'flags'].some((field) => field in raw) || raw['version'] === 'v1' ? 'device-plugin' : undefined
}

type Named = readonly (readonly [name: string, document: unknown])[]

const READERS = {
  'mig-parted': (entries: Named, title: string): ConfigFile => {
    const files = entries.map(([, document]) => readBySchema(MIG_FILE, document, ''))
    const named = files.flatMap(({ value }) => Object.entries(value?.['mig-configs'] ?? {}))
    const { configs, errors } = namedBy(MIG_ENTRIES, named, 'nvidia.com/mig.config')
    return { kind: 'mig-parted', title, configs, errors: [...files.flatMap((file) => file.errors), ...errors] }
  },
  'device-plugin': (entries: Named, title: string): ConfigFile => {
    const label = entries[0]?.[0] === '' ? undefined : 'nvidia.com/device-plugin.config'
    return { kind: 'device-plugin', title, ...namedBy(PLUGIN, entries, label) }
  },
} as const

/** Configurations that are right, and what is wrong with the others, or with names that are to be values of a label. */
function namedBy<Content>(schema: z.ZodType<Content>, named: Named, label?: string) {
  const read = named.map(([name, given]) => ({ name, ...readBySchema(schema, given, name) }))
  const unfit = label === undefined ? [] : read.filter(({ name }) => name === '' || !isLabelValue(name))
  const hint = ' NVIDIA writes the + of a profile as a dot here: all-1g.10gb.me.'
  return {
    configs: read.flatMap(({ name, value }) => (value === undefined ? [] : { name, content: value })),
    errors: [
      ...unfit.map(
        ({ name }) => `"${name}" cannot be the value of the label ${label}.${name.includes('+') ? hint : ''}`,
      ),
      ...read.flatMap(({ errors }) => errors),
    ],
  }
}

/** The device plugin takes one of several keys; mig-manager reads one alone. */
function configsOfMap(raw: Raw, title: string): readonly ConfigFile[] {
  const read = Object.entries(objectIn(raw, 'data')).flatMap(([key, value]) => entryOf(key, value))
  return [...Map.groupBy(read, ({ kind }) => kind)].map(([kind, all]) => {
    const keys = all.map(({ key }) => key)
    const readable = all.flatMap(({ key, document }) => (document === undefined ? [] : [[key, document] as const]))
    const file = READERS[kind](readable, title)
    const misplaced = kind === 'mig-parted' && !keys.includes('config.yaml')
    const wrong = misplaced ? [`mig-manager reads the key config.yaml, and it is ${keys.join(', ')}.`] : []
    return { ...file, errors: [...all.flatMap(({ error }) => error ?? []), ...wrong, ...file.errors] }
  })
}

type Entry = {
  readonly kind: keyof typeof TITLES
  readonly key: string
  readonly document?: Raw
  readonly error?: string
}

function entryOf(key: string, value: unknown): readonly Entry[] {
  if (typeof value !== 'string') return []
  try {
    const document = objectIn(readYaml(value))
    const kind = kindOf(document)
    return kind === undefined ? [] : [{ kind, key, document }]
  } catch (error) {
    const [looks] = /^(?:mig-configs|sharing|flags):/mu.exec(value) ?? []
    const kind = looks === 'mig-configs:' ? 'mig-parted' : 'device-plugin'
    return looks === undefined ? [] : [{ kind, key, error: `${key} cannot be read as YAML: ${errorText(error)}.` }]
  }
}
