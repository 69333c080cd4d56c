/** A MIG profile's name as NVML prints it: `3g.20gb`, `1g.10gb+me`. Means different shapes on different boards. */
export type ProfileName = string

/** Where an instance sits, in memory slices, as NVML says it: `{ start: 4, size: 4 }`. */
export type Placement = { readonly start: number; readonly size: number }
