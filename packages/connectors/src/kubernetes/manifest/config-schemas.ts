import { parseProfileName, WHOLE_GPU_RESOURCE, type PluginConfig } from '@septet/domain'
import { z } from 'zod'

/** A mig-parted file, version v1; each of its configurations is read by itself. */
export const MIG_FILE = z.strictObject({
  version: z.literal('v1'),
  'mig-configs': z
    .record(z.string(), z.unknown())
    .refine((named) => Object.keys(named).length > 0, 'must hold one name at least'),
})

const PROFILE = z.string().refine((name) => parseProfileName(name) !== undefined, {
  error: ({ input }) =>
    `is no MIG profile${/gb\.(me|gfx)/u.test(String(input)) ? '; profiles keep their + here, only names of configurations have a dot' : ''}`,
})
const FILTER = 'must be a PCI id such as 0x233010DE, or a list of them'
const PCI_ID = z.string().regex(/^0x[0-9A-Fa-f]{8}$/u, FILTER)
const DEVICES = z.union(
  [z.literal('all'), z.array(z.int().min(0)).nonempty()],
  'must be "all" or a list of GPU indices',
)

const ENTRY = z
  .strictObject({
    devices: DEVICES,
    'device-filter': z.union([z.literal(''), PCI_ID, z.array(PCI_ID)], FILTER).default(''),
    'mig-enabled': z.boolean(),
    'mig-devices': z.record(PROFILE, z.int().min(0)).optional(),
  })
  .refine((entry) => !entry['mig-enabled'] || entry['mig-devices'] !== undefined, {
    path: ['mig-devices'],
    error: 'is missing; where mig-enabled is true it must be there, {} for none',
  })
  // `nvidia-mig-parted export` writes {} for a GPU that is not in MIG mode.
  .refine((entry) => entry['mig-enabled'] || Object.keys(entry['mig-devices'] ?? {}).length === 0, {
    path: ['mig-devices'],
    error: 'must not be there where mig-enabled is false',
  })
  .transform((entry) => {
    const filter = [entry['device-filter']].flat().filter((id) => id !== '')
    const counts = Object.entries(entry['mig-devices'] ?? {}).filter(([, count]) => count > 0)
    return {
      devices: entry.devices,
      filter: filter.length === 0 ? undefined : filter,
      migEnabled: entry['mig-enabled'],
      geometry: Object.fromEntries(counts),
    }
  })

/** One configuration of a mig-parted file. */
export const MIG_ENTRIES = z.array(ENTRY).nonempty()

const STRATEGY = z.enum(['none', 'single', 'mixed']).nullish()
const ROW = z.strictObject({
  name: z.string().transform((name) => name.replace(/^(?=[^/]+$)/u, 'nvidia.com/')),
  replicas: z.int().min(2),
  devices: z.literal('all', 'is ignored by the plugin, which shares all devices').optional(),
})

const sharedBy = (kind: 'time-slicing' | 'mps') =>
  z
    .strictObject({
      strategy: z.unknown().optional(),
      renameByDefault: z.boolean().default(false),
      failRequestsGreaterThanOne: z.boolean().default(kind === 'mps'),
      resources: z.array(ROW).nonempty(),
    })
    .refine(({ resources }) => new Set(resources.map(({ name }) => name)).size === resources.length, {
      path: ['resources'],
      error: 'must name a resource once',
    })
    .transform((said) => ({
      kind,
      rename: said.renameByDefault,
      oneOnly: said.failRequestsGreaterThanOne,
      resources: said.resources,
    }))

const SHARING = z
  .strictObject({
    timeSlicing: sharedBy('time-slicing').nullish(),
    mps: sharedBy('mps')
      .refine(
        ({ resources }) => resources.every(({ name }) => name === WHOLE_GPU_RESOURCE),
        `can share ${WHOLE_GPU_RESOURCE} alone, and no MIG devices`,
      )
      .nullish(),
  })
  // NVIDIA calls them mutually exclusive; the plugin does not check it, and takes MPS.
  .refine(({ mps, timeSlicing }) => !mps || !timeSlicing, {
    path: ['timeSlicing'],
    error: 'is ignored: it and mps exclude each other, and the plugin takes mps',
  })

/** A configuration of NVIDIA's device plugin, version v1. */
export const PLUGIN = z
  .strictObject({
    version: z.literal(['v1', '']).optional(),
    flags: z.looseObject({ migStrategy: STRATEGY }).nullish(),
    resources: z.unknown().optional(),
    imex: z.unknown().optional(),
    health: z.unknown().optional(),
    sharing: SHARING.nullish(),
  })
  .refine(({ flags, sharing }) => !sharing?.mps || flags?.migStrategy !== 'mixed', {
    path: ['sharing', 'mps'],
    error: 'is refused by the plugin together with the MIG strategy mixed',
  })
  .transform(({ flags, sharing }): PluginConfig => {
    const none = { kind: 'none', rename: false, oneOnly: false, resources: [] } as const
    return { strategy: flags?.migStrategy ?? undefined, shared: sharing?.mps ?? sharing?.timeSlicing ?? none }
  })

/** Other fields that a ClusterPolicy of the GPU Operator has, as of 26.7 and its years before. */
const OTHERS =
  'ccManager cdi daemonsets dcgm dcgmExporter devicePlugin driver fabricManager gdrcopy gds gfd hostPaths kataManager kataSandboxDevicePlugin nodeStatusExporter operator psa psp sandboxDevicePlugin sandboxWorkloads toolkit validator vfioManager vgpuDeviceManager vgpuManager'
const MIG_CONFIG = z.strictObject({
  name: z.unknown().optional(),
  default: z.literal(['all-disabled', '']).nullish(),
})

/** What a ClusterPolicy says of MIG; the content of ConfigMaps that it names is not in it. */
export const POLICY = z
  .looseObject({
    apiVersion: z.literal('nvidia.com/v1'),
    spec: z
      .strictObject({
        ...Object.fromEntries(OTHERS.split(' ').map((name) => [name, z.unknown().optional()])),
        mig: z.strictObject({ strategy: STRATEGY }).nullish(),
        migManager: z.looseObject({ config: MIG_CONFIG.nullish() }).nullish(),
      })
      .nullish(),
  })
  .transform(({ spec }): PluginConfig => ({ strategy: spec?.mig?.strategy ?? undefined }))
