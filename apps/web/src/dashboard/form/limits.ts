/** What the contract demands of a value: the part of JSON Schema that forms read. */
export type FieldLimits = {
  readonly type?: string | undefined
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly format?: string
  /** What is said of a text that has another form: `must be …`. */
  readonly says?: string
  readonly enum?: readonly string[]
  readonly items?: FieldLimits
  readonly properties?: Readonly<Record<string, FieldLimits>>
  readonly required?: readonly string[]
  readonly nullable?: true
}

type Leaf = readonly unknown[] | string | number | boolean | null | undefined
/** Where a value stands in an order: `idle.threshold`. */
export type PathIn<T> = T extends Leaf
  ? never
  : { [K in keyof T & string]-?: K | `${K}.${PathIn<NonNullable<T[K]>>}` }[keyof T & string]

/** What is demanded of the value at a path. */
export const limitsAt = (limits: FieldLimits, path: string): FieldLimits =>
  path.split('.').reduce((part, key) => part.properties?.[key] ?? {}, limits)

/** "1 to 100": between what the value at a path must be. */
export function boundsAt(limits: FieldLimits, path: string): string {
  const { minimum, maximum } = limitsAt(limits, path)
  return `${minimum} to ${maximum}`
}

/** Whether an order needs the value at a path, and needs it not to be empty. */
export function isNeeded(limits: FieldLimits, path: string): boolean {
  const cut = path.lastIndexOf('.')
  const { required = [] } = cut < 0 ? limits : limitsAt(limits, path.slice(0, cut))
  const { type, nullable, minItems, minLength, pattern, format } = limitsAt(limits, path)
  const isFilled = isNumber({ type }) || [minItems, minLength, pattern, format].some((demand) => demand !== undefined)
  return required.includes(path.slice(cut + 1)) && nullable !== true && isFilled
}

export const isNumber = ({ type }: Pick<FieldLimits, 'type'>): boolean => type === 'number' || type === 'integer'

/** The value at a path. */
export const valueAtPath = (value: unknown, path: string): unknown =>
  path.split('.').reduce((part, key) => (isRecord(part) ? part[key] : undefined), value)

/** The same order with another value at a path. */
export function putAt<T extends object>(value: T, path: string, next: unknown): T {
  const [key = '', ...rest] = path.split('.')
  const part = valueAtPath(value, key)
  return { ...value, [key]: rest.length === 0 ? next : putAt(isRecord(part) ? part : {}, rest.join('.'), next) }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Shown = (amount: number) => number

/** What is wrong with a value, in the words in which the server would refuse it; undefined when nothing is. */
export function wrongIn(limits: FieldLimits, value: unknown, shown: Shown): string | undefined {
  if (Array.isArray(value)) {
    return value.map((each) => wrongIn(limits.items ?? {}, each, shown)).find((words) => words !== undefined)
  }
  if (typeof value === 'number') return wrongNumber(limits, value, shown)
  return typeof value === 'string' && value !== '' ? wrongText(limits, value) : undefined
}

function wrongNumber(
  { minimum, exclusiveMinimum, maximum }: FieldLimits,
  value: number,
  shown: Shown,
): string | undefined {
  if (Number.isNaN(value)) return 'Enter a number.'
  if (minimum !== undefined && value < minimum) return `Must be at least ${shown(minimum)}.`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `Must be more than ${shown(exclusiveMinimum)}.`
  return maximum !== undefined && value > maximum ? `Must be at most ${shown(maximum)}.` : undefined
}

function wrongText(
  { minLength = 0, maxLength = Infinity, pattern, format, says = 'has another form than it must' }: FieldLimits,
  value: string,
) {
  if (value.length < minLength) return `Must have at least ${minLength} characters.`
  if (value.length > maxLength) return `Must have at most ${maxLength} characters.`
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return undefined
  return `${value} ${format === 'email' ? 'must be an email address' : says}.`
}
