// `npm run build`: builds the web app if its sources have changed, and writes what is shipped and its licenses to `dist`. The
// server runs from source and needs no build.
import { ensureWebBuilt } from './parts/build-web.mjs'
import { ensureInstalled } from './parts/install.mjs'
import { writeSbom } from './parts/sbom.mjs'

ensureInstalled('production')
ensureWebBuilt()
writeSbom()
