import { z } from 'zod'

/** What people call an entry that they make: a price, a budget, a token, a scheduled report. */
export const EntryName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/u, 'must be lowercase letters, digits and ._-')

/** A namespace is a DNS label (RFC 1123). */
export const Namespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/u, 'must be the name of a namespace')

const PROTECTED = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?-?\*?$/u
/** Namespaces that are left alone; `team-*` is every name with that prefix. */
export const ProtectedNamespaces = z
  .array(z.string().regex(PROTECTED, 'must be the name of a namespace, or a prefix ending in *'))
  .max(200)
