/** The last part of a cloud's name of a thing, which is the same in a provider id, an ARN and a bare id. */
export const lastPart = (name: string): string => /([^/:]+)$/u.exec(name)?.[1]?.toLowerCase() ?? ''
