import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { DatabaseConnection } from './connection.ts'
import { filesOf, initializeOnce, SUPERUSER } from './embedded/initialize.ts'
import { launch } from './embedded/run-as.ts'
import { serverFailure } from './embedded/server-failure.ts'
import { socketFolder, SOCKET_PORT } from './embedded/socket-folder.ts'
import { answers, makeHome, postgresSettings } from './embedded/start-embedded-postgres.ts'
import { supervise } from './embedded/supervise.ts'

/** What is written need not outlive a crash of the machine, so nothing waits for the disk. */
const CARELESS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]
/** Several stores are open at once, each with its own connections; none lives long enough to be vacuumed. */
const MANY_AND_SHORT = ['max_connections=200', 'autovacuum=off']

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Starts the bundled PostgreSQL in a folder of its own; both go when this process does, however it ends. */
export async function startTestPostgres(): Promise<DatabaseConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'septet-pg-'))
  // The user that root drops to may walk through.
  chmodSync(folder, 0o711)
  const home = await makeHome(folder)
  const socket = await socketFolder(home.folder, home.runAs)
  clearUpAfterUs(join(filesOf(home), 'postmaster.pid'), [folder, socket])
  const { password } = await initializeOnce(home)
  const connection = { host: socket, port: SOCKET_PORT, user: SUPERUSER, password, database: 'postgres' }
  const args = [...postgresSettings(home, socket), ...[...CARELESS, ...MANY_AND_SHORT].flatMap((each) => ['-c', each])]
  await supervise({
    start: () => launch(home.runAs, join(home.binaries.root, 'bin', 'postgres'), args),
    answers: () => answers(connection),
    failure: (output) => serverFailure('start', home.folder, output),
    log: silent,
  })
  return connection
}

/**
 * Vitest ends its workers with a signal, so nothing of theirs can clear up. A shell in its own process group can: what
 * it reads ends when the worker is gone.
 */
function clearUpAfterUs(postmaster: string, folders: readonly string[]): void {
  const script = `
    cat > /dev/null
    postmaster=$1; shift
    if [ -e "$postmaster" ]; then kill -QUIT "$(head -n 1 "$postmaster")"; fi
    tries=0
    while [ -e "$postmaster" ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
    rm -rf "$@"`
  spawn('sh', ['-c', script, 'sh', postmaster, ...folders], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}
