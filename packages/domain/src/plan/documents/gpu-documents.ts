import type { ProfileName } from '../../gpu/geometry.ts'
import { resourceOfProfile } from '../../gpu/profile-name.ts'
import type { SharingMode } from '../words/action.ts'
import { contentHash } from '../words/content-hash.ts'

/** A configuration of NVIDIA's device plugin, as an entry of its ConfigMap. */
export type DevicePluginConfig = {
  /** Made from the content: a changed content under one key is not noticed. */
  readonly key: string
  /** YAML. */
  readonly text: string
}

export const MIG_STRATEGIES = ['none', 'single', 'mixed'] as const
type MigStrategy = (typeof MIG_STRATEGIES)[number]

/**
 * Shares whole GPUs, or none. Requests for more than one replica are refused, because two replicas are neither twice the
 * share nor two GPUs.
 */
export function devicePluginConfig(to: SharingMode, migStrategy: MigStrategy): DevicePluginConfig {
  const lines = ['version: v1', 'flags:', `  migStrategy: ${migStrategy}`, ...sharingLines(to), '']
  const text = lines.join('\n')
  return { key: `septet-${contentHash(text)}`, text }
}

function sharingLines(to: SharingMode): readonly string[] {
  if (to.kind === 'none') return []
  return [
    'sharing:',
    // MPS refuses them by itself.
    ...(to.kind === 'mps' ? ['  mps:'] : ['  timeSlicing:', '    failRequestsGreaterThanOne: true']),
    '    resources:',
    '      - name: nvidia.com/gpu',
    `        replicas: ${to.replicas}`,
  ]
}

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

/**
 * A device class for MIG devices of one profile. On Kubernetes 1.35 with the gate DRAExtendedResource pods get one by the extended
 * resource that they ask for already, without a claim of their own.
 */
export const profileClass = (profile: ProfileName): Readonly<Record<string, unknown>> => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: claimTemplateName(profile) },
  spec: {
    extendedResourceName: resourceOfProfile(profile),
    selectors: [
      {
        cel: {
          expression: `device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig' && device.attributes['gpu.nvidia.com'].profile == '${profile}'`,
        },
      },
    ],
  },
})

/** `1g.10gb+me` → `septet-mig-1g-10gb-me`. */
export const claimTemplateName = (profile: ProfileName): string =>
  `septet-mig-${profile.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}`
