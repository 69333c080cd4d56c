/** An object as YAML holds it. */
export type Raw = Readonly<Record<string, unknown>>

export const objectIn = (value: unknown, ...path: readonly (string | number)[]): Raw => {
  const found = valueIn(value, ...path)
  return isObject(found) ? found : {}
}

export const itemsIn = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = valueIn(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Empty where there is no text. */
export const textIn = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = valueIn(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** A whole number from 0; undefined where there is none. */
export const countIn = (value: unknown, ...path: readonly (string | number)[]): number | undefined => {
  const found = valueIn(value, ...path)
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined
}

export const isTrue = (value: unknown, ...path: readonly (string | number)[]): boolean =>
  valueIn(value, ...path) === true

const valueIn = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)

const isObject = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)
