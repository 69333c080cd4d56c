/**
 * The value of GPU feature discovery's `nvidia.com/gpu.product` for an NVML name, before any MIG or sharing suffix:
 * spaces become dashes, and what a label value may not hold is dropped.
 */
export const productOf = (nvmlName: string): string => nvmlName.replace(/[^A-Za-z0-9\-_. ]/g, '').replaceAll(' ', '-')

/**
 * What is left of a GPU's name when spelling is set aside, so that the exporter's `modelName`, the product label and our
 * catalog name of one model compare equal. Compare keys whole, never in part: `B200` is inside `GB200`.
 *
 * Drivers before R470 leave out `NVIDIA`; shared and MIG nodes have suffixes (`-SHARED`, `-MIG-1g.10gb`, `-MIG-INVALID`).
 */
export const modelKey = (label: string): string =>
  productOf(label.trim())
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/-shared$/, '')
    .replace(/-mig-(?:invalid|\d.*)$/, '')
    .replace(/^(?:nvidia-)?(?:tesla-)?/, '')
