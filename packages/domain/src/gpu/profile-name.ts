import { WHOLE_GPU_RESOURCE } from './whole-gpu.ts'
import type { ProfileName } from './geometry.ts'

/** What a MIG profile's name says by itself. Its shape also needs the board: see `profileOf`. */
export type ParsedProfileName = {
  /** The GPU instance's profile: the name without a compute-instance prefix. */
  readonly profile: ProfileName
  readonly computeSlices: number
  /** The figure in the name: eighths of the board, rounded. Not the usable memory. */
  readonly gigabytes: number
  readonly variant: ProfileVariant
  /** `1c.3g.20gb`: a compute instance that takes 1 of the GPU instance's 3 compute slices; undefined when it fills it. */
  readonly computeInstanceSlices: number | undefined
}

/**
 * `+me` has the media engines, `+me.all` takes all of them, `-me` has none, `+gfx` can do graphics.
 * All but `+me` were seen on RTX PRO Blackwell only.
 */
type ProfileVariant = '' | '+me' | '+me.all' | '-me' | '+gfx'

const VARIANTS: ReadonlyMap<string, ProfileVariant> = new Map(
  (['', '+me', '+me.all', '-me', '+gfx'] as const).map((variant) => [variant, variant]),
)
const NAME = /^(?:(?<compute>\d)c\.)?(?<profile>(?<slices>\d)g\.(?<gigabytes>\d+)gb(?<variant>[+-].+)?)$/

/** Reads a profile or MIG device name as NVML prints it. Undefined when it is not one, or has a variant we do not know. */
export function parseProfileName(name: string): ParsedProfileName | undefined {
  const groups = NAME.exec(name)?.groups
  const variant = VARIANTS.get(groups?.['variant'] ?? '')
  if (groups === undefined || variant === undefined) return undefined
  const { compute, profile = '', slices, gigabytes } = groups
  return {
    profile,
    computeSlices: Number(slices),
    gigabytes: Number(gigabytes),
    variant,
    computeInstanceSlices: compute === undefined ? undefined : Number(compute),
  }
}

/** Whether two names differ in nothing but how the gigabytes of one shape are rounded: `3g.93gb` and `3g.95gb`. */
export function isRoundedAlike(one: ProfileName, other: ProfileName): boolean {
  const [a, b] = [parseProfileName(one), parseProfileName(other)]
  return (
    a !== undefined &&
    a.computeSlices === b?.computeSlices &&
    a.variant === b.variant &&
    Math.abs(a.gigabytes - b.gigabytes) <= Math.max(1, ROUNDED * a.gigabytes)
  )
}

const ROUNDED = 0.1

const RESOURCE_PREFIX = 'nvidia.com/mig-'

/** `1g.5gb+me` → `nvidia.com/mig-1g.5gb.me`. NVIDIA's device plugin replaces `+` by `.`, and keeps the dash of `-me`. */
export const resourceOfProfile = (profile: ProfileName): string => RESOURCE_PREFIX + profile.replaceAll('+', '.')

/** As a node offers it whose MIG strategy is this: under the single one MIG devices are plain GPUs. */
export const resourceOffered = (profile: ProfileName, strategy: string | undefined): string =>
  strategy === 'single' ? WHOLE_GPU_RESOURCE : resourceOfProfile(profile)

/** How many of a resource one GPU instance offers: 3 of `nvidia.com/mig-1c.3g.20gb`, else 1. */
export function offeredPerInstance(resource: string): number {
  const told = parseProfileName(resource.slice(RESOURCE_PREFIX.length).replace(/\.shared$/, ''))
  return Math.floor((told?.computeSlices ?? 1) / (told?.computeInstanceSlices ?? told?.computeSlices ?? 1))
}

/** `nvidia.com/mig-1g.5gb.me` → `1g.5gb+me`, also with `.shared` behind it. Undefined for any other resource. */
export function profileOfResource(resource: string): ProfileName | undefined {
  if (!resource.startsWith(RESOURCE_PREFIX)) return undefined
  const name = resource
    .slice(RESOURCE_PREFIX.length)
    .replace(/\.shared$/, '')
    .replace(/(?<=gb)\.(?=me|gfx)/, '+')
  return parseProfileName(name)?.profile
}

/** `1c.3g.20gb` is a part of a `3g.20gb`. */
export const baseProfile = (profile: string): string => profile.replace(/^\dc\./u, '')
