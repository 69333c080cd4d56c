const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** "14.2 MiB"; whole numbers below a KiB. */
export function bytesWords(bytes: number): string {
  const order = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** order
  return `${order === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[order]}`
}
