// `npm run build`: builds the web app, the server and the command line if their sources have changed, and writes what is
// shipped and its licenses to `dist`.
import { ensureCliBuilt } from './parts/build-cli.mjs'
import { ensureServerBuilt } from './parts/build-server.mjs'
import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { writeSbom } from './parts/sbom.mjs'

ensureInstalled('production')
await ensureWebBuilt()
await ensureServerBuilt()
await ensureCliBuilt()
writeSbom()
