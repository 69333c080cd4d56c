import { LIST_PRICES } from '../cost/list-prices.ts'
import { findModelByMachineType } from '../gpu/machine-type.ts'

/**
 * GPUs that a node of a machine offers, a part of a GPU as one; undefined where the machine has none, or nobody knows how
 * many. From the lists of prices, then from machines that are on none of them, then from names that say the number.
 */
export const gpusOfMachine = (machine: string): number | undefined =>
  LISTED.get(machine.toLowerCase()) ?? NUMBERED.map((name) => Number(name.exec(machine)?.[1])).find(Number.isInteger)

const LISTED: ReadonlyMap<string, number> = new Map([
  ['p5e.48xlarge', 8],
  ['p6e-gb200.36xlarge', 4],
  ['standard_nd96asr_a100_v4', 8],
  ['standard_nd128isr_gb300_v6', 4],
  ['standard_nc24rs_v3', 4],
  ...LIST_PRICES.map(({ machine, gpus }): [string, number] => [machine.toLowerCase(), Math.max(1, gpus)]),
])

/** Oracle's shapes and Google's accelerator machines end with it: `BM.GPU.H100.8`, `VM.GPU3.4`, `a3-ultragpu-8g`. */
const NUMBERED = [/^(?:BM|VM)\.GPU[\w.-]*\.(\d+)$/iu, /^a\dx?-[a-z]+gpu-(\d+)g(?:-|$)/u]

/** A machine that has GPUs by its name, though nobody may know how many. */
export const hasGpus = (machine: string): boolean =>
  gpusOfMachine(machine) !== undefined || findModelByMachineType(machine) !== undefined || NAMED.test(machine)

/** Families of AWS and Azure that are sold for their accelerators. */
const NAMED = /^(?:(?:p\d|g\d|gr\d|dl\d|u-p\d)[a-z\d-]*\.[a-z\d-]+|Standard_N[CDGV][A-Z]?\d.*)$/iu

/** OCPUs for each GPU of Oracle's shapes that were charged by the OCPU. */
export const ocpusPerGpu = (shape: string): number | undefined => OCPUS_PER_GPU.find(([name]) => name.test(shape))?.[1]

const OCPUS_PER_GPU: readonly (readonly [RegExp, number])[] = [
  [/^VM\.GPU2\./u, 12],
  [/^BM\.GPU2\./u, 14],
  [/^VM\.GPU3\./u, 6],
  [/^BM\.GPU3\./u, 6.5],
  [/^BM\.GPU4\./u, 8],
  [/^VM\.GPU\.A10\./u, 15],
  [/^BM\.GPU\.(?:A10|A100-v2)\./u, 16],
  [/^BM\.GPU\.(?:H100|H200)\./u, 14],
  [/^BM\.GPU\.L40S\./u, 28],
]

/** The model in the words of what is sold, "Nvidia Tesla A100 80GB GPU running in Americas", "OCI - Compute - GPU - H100". */
export const modelInWords = (words: string): string | undefined => MODELS.find(([name]) => name.test(words))?.[1]

/** The first that fits; what one cloud alone sells stands for the form that it has there. */
const MODELS: readonly (readonly [RegExp, string])[] = [
  [/\bGB300\b/iu, 'GB300'],
  [/\bGB200\b/iu, 'GB200'],
  [/\bB300\b/iu, 'B300-SXM6-AC'],
  [/\bB200\b/iu, 'B200'],
  [/\bH200\b/iu, 'H200'],
  [/\bH100T?\b/iu, 'H100-80GB-HBM3'],
  [/\bA100(?: 80GB| ?- ?v2)/iu, 'A100-SXM4-80GB'],
  [/\bA100\b|\bGPU - E4\b/iu, 'A100-SXM4-40GB'],
  [/\bL40S\b/iu, 'L40S'],
  [/\bL4\b/iu, 'L4'],
  [/\bT4\b/iu, 'T4'],
  [/\bP4\b/iu, 'P4'],
  [/\bV100\b|\bGPU - E3\b/iu, 'V100-SXM2-16GB'],
  [/\bP100\b/iu, 'P100-PCIE-16GB'],
  [/\bA10\b/iu, 'A10'],
  [/\bRTX(?: Pro)? 6000\b/iu, 'RTX-PRO-6000-Blackwell-Server-Edition'],
  [/\bMI355X\b/iu, 'Instinct-MI355X'],
  [/\bMI300X\b/iu, 'Instinct-MI300X'],
]

/** Google's machine families whose cores and memory are always beside these GPUs, by the word in the charge. */
export const MODELS_OF_FAMILY: Readonly<Record<string, readonly string[]>> = {
  a2: ['A100-SXM4-40GB', 'A100-SXM4-80GB'],
  a3: ['H100-80GB-HBM3'],
  a3plus: ['H100-80GB-HBM3'],
  a3ultra: ['H200'],
  a4: ['B200'],
  a4x: ['GB200'],
  g2: ['L4'],
  g4: ['RTX-PRO-6000-Blackwell-Server-Edition'],
}
