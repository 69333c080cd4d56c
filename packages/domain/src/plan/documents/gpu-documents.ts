import type { GpuNode } from '../../cluster/node.ts'
import type { ProfileName } from '../../gpu/geometry.ts'
import type { SharingMode } from '../words/action.ts'
import { contentHash } from '../words/content-hash.ts'

/**
 * A configuration of NVIDIA's device plugin that shares whole GPUs, or none. Requests for more than one replica are
 * refused, because two replicas are neither twice the share nor two GPUs.
 */
export function devicePluginConfig(to: SharingMode, { mig }: GpuNode): Readonly<Record<string, unknown>> {
  const base = { version: 'v1', flags: { migStrategy: mig.strategy } }
  if (to.kind === 'none') return base
  const resources = [{ name: 'nvidia.com/gpu', replicas: to.replicas }]
  if (to.kind === 'mps') return { ...base, sharing: { mps: { resources } } }
  return { ...base, sharing: { timeSlicing: { failRequestsGreaterThanOne: true, resources } } }
}

/** The key of that configuration in its ConfigMap, made from its content: a changed content under one key is not noticed. */
export const devicePluginKey = (config: Readonly<Record<string, unknown>>): string =>
  `septet-${contentHash(JSON.stringify(config))}`

/** A template by which a pod claims one MIG device of a profile from NVIDIA's DRA driver (`resource.k8s.io/v1`). */
export const claimTemplate = (profile: ProfileName): Readonly<Record<string, unknown>> => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: claimTemplateName(profile) },
  spec: {
    spec: {
      devices: {
        requests: [
          {
            name: 'slice',
            exactly: {
              deviceClassName: 'mig.nvidia.com',
              selectors: [{ cel: { expression: `device.attributes['gpu.nvidia.com'].profile == '${profile}'` } }],
            },
          },
        ],
      },
    },
  },
})

/** `1g.10gb+me` → `septet-mig-1g-10gb-me`. */
export const claimTemplateName = (profile: ProfileName): string =>
  `septet-mig-${profile.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}`
