import { findModel } from './catalog.ts'

/**
 * The board, or the vGPU, that a node gives to virtual machines under a resource's name: `nvidia.com/GH100_H100_PCIE` is
 * a board passed through, by its name in the PCI ID database, `nvidia.com/NVIDIA_A40-24Q` a vGPU. The text itself where it
 * names none that we know; undefined for resources that containers ask for.
 */
function deviceOfVm(resource: string): string | undefined {
  const text = VM_RESOURCE.exec(resource)?.[1]
  if (text === undefined) return undefined
  const name = text.replace(/^(?:NVIDIA_)?(?:[A-Z]{2}\d{3}[A-Z]*_)?/u, '').replaceAll('_', '-')
  return (findModel(PCI_NAMES.get(name.toUpperCase()) ?? name) ?? findModel(text))?.name ?? text
}

/** Whether virtual machines ask for it. */
export const isForVms = (resource: string): boolean => VM_RESOURCE.test(resource)

/** Resources of containers are lower case (`gpu`, `mig-1g.10gb`); those of KubeVirt begin with a board's name. `GPU` is a misspelling. */
const VM_RESOURCE = /^nvidia\.com\/((?!MIG|Mig|GPU|Gpu)[A-Z][\w.-]*)$/u

/** Boards whose name in the PCI ID database is not the driver's. */
const PCI_NAMES: ReadonlyMap<string, string> = new Map([
  ['A30-PCIE', 'A30'],
  ['A100-PCIE-80GB', 'A100-80GB-PCIe'],
  ['H100-SXM5-80GB', 'H100-80GB-HBM3'],
  ['H100-SXM5', 'H100-80GB-HBM3'],
  ['H200-SXM-141GB', 'H200'],
])

/** What stands for it in a node's product, whole: the board of a vGPU. */
export function boardOfVm(resource: string): string | undefined {
  const device = deviceOfVm(resource)
  return device === undefined ? undefined : (findModel(device)?.partOf?.board ?? device)
}

/**
 * Into how many a GPU is cut whose parts are offered under this name: `amd.com/cpx_nps4`, `nvidia.com/NVIDIA_A40-24Q`;
 * undefined for other names. A GPU of the MI300 series has eight dies (XCDs), an MI300A six.
 */
export function partsPerGpu(resource: string, product: string): number | undefined {
  const device = deviceOfVm(resource)
  if (device !== undefined) return Math.max(1, Math.floor(1 / (findModel(device)?.partOf?.share ?? 1)))
  const mode = /^amd\.com\/([a-z]+)_nps\d+$/u.exec(resource)?.[1]
  const dies = product.includes('MI300A') ? 6 : 8
  return mode === undefined
    ? undefined
    : new Map(Object.entries({ spx: 1, dpx: 2, tpx: 3, qpx: 4, cpx: dies })).get(mode)
}
