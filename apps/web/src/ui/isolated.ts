/**
 * A name as somebody else wrote it, between the characters that keep its reading direction to itself (FSI and PDI): for
 * sentences, options and titles, which can hold no element. Where there is one, `bdi` does the same.
 */
export const isolated = (name: string): string => `\u2068${name}\u2069`
