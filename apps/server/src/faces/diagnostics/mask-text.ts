/** What stands in the place of what is not shown. */
const HIDDEN = '(hidden)'

export type Masking = {
  /** By every name that is known of clusters, nodes, namespaces and work, what is written instead. */
  readonly aliases: ReadonlyMap<string, string>
  readonly keepNames: boolean
  /** Values that are shown nowhere, whatever they look like. */
  readonly secrets: readonly string[]
}

/**
 * A sentence without secrets, and without names unless they are kept. It goes by what is allowed: plain words, small
 * numbers, times and known names. Everything else, such as a URL, an address, a token or an unknown name, is hidden.
 */
export function maskText(text: string, masking: Masking): string {
  const known = masking.secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text)
  return known
    .split(/(\s+)/u)
    .map((piece) => (piece.trim() === '' ? piece : maskPiece(piece, masking)))
    .join('')
}

function maskPiece(piece: string, masking: Masking): string {
  if (piece.includes(HIDDEN)) return HIDDEN
  const [, before = '', core = '', after = ''] = /^([("'“‘[{<]*)(.*?)([)"'”’\]}>.,:;!?…]*)$/su.exec(piece) ?? []
  return `${before}${maskCore(core, masking)}${after}`
}

function maskCore(core: string, masking: Masking): string {
  const whole = masking.aliases.get(core)
  if (whole !== undefined) return masking.keepNames ? core : whole
  if (core === '' || ALLOWED.test(core)) return core
  if (!core.includes('/') || core.includes('://')) return HIDDEN
  return core
    .split('/')
    .map((part) => maskCore(part, masking))
    .join('/')
}

const WORD = String.raw`[A-Z]?[a-z]{1,19}(?:[’'](?:s|t|re))?`
const CODE = String.raw`[A-Z]{1,16}|nvidia\.com|(?:Stateful|Daemon|Replica)Set|(?:Cron|PyTorch|Ray)Job|RayCluster|SEPTET_[A-Z_]{1,40}|DATABASE_URL|GPUs|PostgreSQL|dcgm-exporter|→|×`
const NUMBER = String.raw`\d{1,5}(?:\.\d{1,3})?%?`
const TIME = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?|\d\d:\d\d(?::\d\d)?`
const ALLOWED = new RegExp(`^(?:${WORD}|${CODE}|${NUMBER}|${TIME})$`, 'u')
