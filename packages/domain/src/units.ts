/**
 * Numbers that carry their unit in the type, so that GPU-hours cannot be added to dollars.
 * A unit is given to a number here and nowhere else: `as` is allowed in this file only.
 */

/** A share of something, 0 to 1. */
export type Ratio = number & { readonly unit: 'ratio' }
/** United States dollars. */
export type Usd = number & { readonly unit: 'USD' }
/** Dollars for one GPU for one hour. */
export type UsdPerGpuHour = number & { readonly unit: 'USD/GPU-h' }
/** One GPU (or its equal in shares) for one hour. */
export type GpuHours = number & { readonly unit: 'GPU-h' }
/** Mebibytes, 2^20 bytes: the unit of dcgm-exporter's framebuffer fields and of NVIDIA's memory labels. */
export type Mib = number & { readonly unit: 'MiB' }
/** Seconds as a length of time. */
export type Seconds = number & { readonly unit: 's' }
/** Watts. */
export type Watts = number & { readonly unit: 'W' }
/** Degrees Celsius. */
type Celsius = number & { readonly unit: '°C' }
/** A point in time: milliseconds since 1970-01-01T00:00:00Z, as `Date.now()` gives it. */
export type Instant = number & { readonly unit: 'ms since epoch' }

export const ratio = (value: number): Ratio => value as Ratio
export const usd = (value: number): Usd => value as Usd
export const usdPerGpuHour = (value: number): UsdPerGpuHour => value as UsdPerGpuHour
export const gpuHours = (value: number): GpuHours => value as GpuHours
export const mib = (value: number): Mib => value as Mib
export const seconds = (value: number): Seconds => value as Seconds
export const watts = (value: number): Watts => value as Watts
export const instant = (value: number): Instant => value as Instant

/** What telemetry is measured in, by the unit's name. A code is a plain number. */
export type Units = { ratio: Ratio; MiB: Mib; W: Watts; '°C': Celsius; code: number }

/** Hours in an average month, as OpenCost counts it: 8,760 / 12. */
export const HOURS_PER_MONTH = 730
export const SECONDS_PER_HOUR = 3600
export const SECONDS_PER_DAY = 86_400

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS

/** A half-open stretch of time: `from` is inside, `to` is not. */
export type Window = { readonly from: Instant; readonly to: Instant }

/** Code-unit order: the same everywhere, whatever the locale. Use it to break ties. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
