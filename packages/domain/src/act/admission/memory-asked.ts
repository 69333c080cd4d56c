import { mib, type Mib } from '../../units.ts'

/** MiB of a Kubernetes quantity such as `10Gi`, `10240Mi` or `11G`; undefined for what is none, or nothing. */
export function memoryAsked(text: string): Mib | undefined {
  const groups = /^(?<amount>\d+(?:\.\d+)?)(?<unit>Mi|Gi|Ti|M|G|T)?$/u.exec(text.trim())?.groups
  if (groups === undefined) return undefined
  const bytes = Number(groups['amount']) * (BYTES[groups['unit'] ?? ''] ?? 1)
  return bytes > 0 ? mib(Math.ceil(bytes / MIB)) : undefined
}

const MIB = 2 ** 20
const BYTES: Readonly<Record<string, number>> = { Mi: MIB, Gi: 2 ** 30, Ti: 2 ** 40, M: 1e6, G: 1e9, T: 1e12 }
