import { z } from 'zod'

import { importTool } from '../install-tools.ts'
import { heavyTools } from '../shared/shared.ts'
import type { Manifest } from './chart.ts'

/** Whose schemas describe objects of a group; Kubernetes' own describe the rest. */
const PACKAGES: Readonly<Record<string, string>> = {
  'argoproj.io': '@kubernetes-models/argo-cd',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}
/** Whatever stands there is taken by its operator as it is. */
const OPAQUE = /^\/spec\/source\/helm\/valuesObject\//u

const ModuleSchema = z.record(z.string(), z.unknown())
const ModelSchema = z.custom<{ readonly prototype: { validate(): void } }>((value) => typeof value === 'function')

/**
 * What an API server would refuse in an object by its JSON schema: wrong types, what is missing, and fields that it does
 * not have.
 */
export async function faultsOf(manifest: Manifest): Promise<readonly string[]> {
  const { apiVersion, kind } = manifest
  const [group = ''] = apiVersion.split('/')
  const file = `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}.js`
  const { [kind]: model } = ModuleSchema.parse(await importTool(await heavyTools(), file))
  const { prototype } = ModelSchema.parse(model)
  const unread = new Set<string>()
  try {
    prototype.validate.call(watched(manifest, { path: '', unread, known: new Map() }))
  } catch (error) {
    return [`${kind} ${manifest.metadata.name}: ${String(error)}`]
  }
  return [...unread].filter((path) => !OPAQUE.test(path)).map((path) => `${kind} has no ${path}`)
}

type Watch = { readonly path: string; readonly unread: Set<string>; readonly known: Map<string, unknown> }

/** The compiled schemas let fields pass that they do not know; they are those at which no schema has looked. */
function watched(value: unknown, { path, unread, known }: Watch): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (known.has(path)) return known.get(path)
  for (const key of Object.keys(value)) unread.add(`${path}/${key}`)
  const proxy = new Proxy(value, {
    get(target, key) {
      const below = `${path}/${String(key)}`
      unread.delete(below)
      return watched(Reflect.get(target, key), { path: below, unread, known })
    },
  })
  known.set(path, proxy)
  return proxy
}
