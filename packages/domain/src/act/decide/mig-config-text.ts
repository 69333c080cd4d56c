import { migConfigEntries } from '../../plan/words/mig-config.ts'
import type { GpuChange } from '../../plan/words/action.ts'

/** Whether a mig-parted file has a configuration of that name. */
export const hasConfig = (text: string, name: string): boolean =>
  text.split('\n').some((line) => new RegExp(`^ +${name.replaceAll('.', String.raw`\.`)}: *(#.*)?$`, 'u').test(line))

/**
 * The file with one more configuration, all else as it is: comments, order and indentation of others are theirs. Undefined
 * where its configurations are not written as a block under `mig-configs:`.
 */
export function withConfig(text: string, name: string, gpus: readonly GpuChange[]): string | undefined {
  const block = blockOf(text)
  if (block === undefined) return undefined
  const { lines, at, indent } = block
  return [...lines.slice(0, at + 1), ...entryLines(indent, name, gpus), ...lines.slice(at + 1)].join('\n')
}

/**
 * The file without a configuration that `withConfig` has added, all else as it is. Undefined where it is not there word for
 * word: somebody has changed it since, or wrote it in another way, so that it is theirs.
 */
export function withoutConfig(text: string, name: string, gpus: readonly GpuChange[]): string | undefined {
  const block = blockOf(text)
  if (block === undefined) return undefined
  const { lines, at, indent } = block
  const entry = entryLines(indent, name, gpus)
  const from = lines.findIndex(
    (_, index) => index > at && entry.every((line, offset) => lines[index + offset] === line),
  )
  const next = lines[from + entry.length] ?? ''
  // What is indented more goes on with it.
  return from < 0 || next.startsWith(`${indent} `) ? undefined : lines.toSpliced(from, entry.length).join('\n')
}

/** The lines of a file, which of them begins the configurations, and how far these are indented. */
function blockOf(text: string) {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const at = lines.findIndex((line) => /^mig-configs: *(#.*)?$/u.test(line))
  const first = lines.slice(at + 1).find((line) => /^ *[^ #\n]/u.test(line))
  const indent = /^ +(?=[^ #-])/u.exec(first ?? '')?.[0]
  return at < 0 || indent === undefined ? undefined : { lines, at, indent }
}

const entryLines = (indent: string, name: string, gpus: readonly GpuChange[]): readonly string[] => [
  `${indent}${name}:`,
  ...migConfigEntries(gpus).flatMap((entry) => [
    `${indent}  - devices: ${JSON.stringify(entry.devices)}`,
    `${indent}    mig-enabled: ${entry['mig-enabled']}`,
    ...(entry['mig-devices'] === undefined
      ? []
      : [`${indent}    mig-devices: ${JSON.stringify(entry['mig-devices'])}`]),
  ]),
]
