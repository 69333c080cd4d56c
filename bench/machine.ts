import { arch, cpus, platform, totalmem } from 'node:os'

/** What a figure was measured on; nothing that tells whose machine it is. */
export const machine = (): Readonly<Record<string, string | number>> => ({
  platform: `${platform()}-${arch()}`,
  cores: cpus().length,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  node: process.versions.node,
})

/** The day of a run, in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10)
