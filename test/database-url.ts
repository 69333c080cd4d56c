import type { EmbeddedPostgres } from '@septet/storage'

/** A connection as `DATABASE_URL` names it; its host may be the folder of a socket. */
export const databaseUrl = ({ host, port, database, user, password }: EmbeddedPostgres['connection']): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
