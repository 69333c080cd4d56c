/**
 * Where a browser keeps its session; named, for two products on one origin would otherwise share it. The site, which knows
 * nothing else of sign-in, looks whether anything is there.
 */
export const SESSION_KEY = 'septet-auth'
