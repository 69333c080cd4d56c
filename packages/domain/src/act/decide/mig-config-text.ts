import { migConfigEntries } from '../../plan/state/mig-config.ts'
import type { GpuChange } from '../../plan/words/action.ts'

/** Whether a mig-parted file has a configuration of that name. */
export const hasConfig = (text: string, name: string): boolean =>
  text.split('\n').some((line) => new RegExp(`^ +${name.replaceAll('.', String.raw`\.`)}: *(#.*)?$`, 'u').test(line))

/**
 * The file with one more configuration, all else as it is: comments, order and indentation of others are theirs. Undefined
 * where its configurations are not written as a block under `mig-configs:`.
 */
export function withConfig(text: string, name: string, gpus: readonly GpuChange[]): string | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const at = lines.findIndex((line) => /^mig-configs: *(#.*)?$/u.test(line))
  const first = lines.slice(at + 1).find((line) => /^ *[^ #\n]/u.test(line))
  const indent = /^ +(?=[^ #-])/u.exec(first ?? '')?.[0]
  if (at < 0 || indent === undefined) return undefined
  const entries = migConfigEntries(gpus).flatMap((entry) => [
    `${indent}  - devices: ${JSON.stringify(entry.devices)}`,
    `${indent}    mig-enabled: ${entry['mig-enabled']}`,
    ...(entry['mig-devices'] === undefined
      ? []
      : [`${indent}    mig-devices: ${JSON.stringify(entry['mig-devices'])}`]),
  ])
  return [...lines.slice(0, at + 1), `${indent}${name}:`, ...entries, ...lines.slice(at + 1)].join('\n')
}
