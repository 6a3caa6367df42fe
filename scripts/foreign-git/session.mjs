// isomorphic-git, the git of browsers: no side bands when it pushes, so reasons must stand in the report.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import git from 'isomorphic-git'
import http from 'isomorphic-git/http/node'

const url = process.argv[2] + '/isomorphic.git'
const author = { name: 'A', email: 'a@b' }
let failed = 0
const step = (name, good, detail = '') => {
  if (!good) failed++
  console.log((good ? 'PASS ' : 'FAIL ') + 'isomorphic-git ' + git.version() + ' ' + name + (good ? '' : ': ' + detail))
}

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'foreign-git-'))
const dir = path.join(place, 'work')
await git.init({ fs, dir, defaultBranch: 'main' })
const commit = async (filepath, text) => {
  fs.writeFileSync(path.join(dir, filepath), text)
  await git.add({ fs, dir, filepath })
  return git.commit({ fs, dir, author, message: 'Change ' + filepath })
}
const push = remoteRef => git.push({ fs, http, dir, url, ref: 'main', remoteRef })

const first = await commit('a.txt', 'a\n')
const pushed = await push('refs/heads/main')
step('pushes', pushed.ok, JSON.stringify(pushed))
const clone = path.join(place, 'clone')
await git.clone({ fs, http, dir: clone, url, singleBranch: true, depth: 1 })
step('clones', (await git.resolveRef({ fs, dir: clone, ref: 'HEAD' })) === first)
const second = await commit('b.txt', 'b\n')
await push('refs/heads/main')
const fetched = await git.fetch({ fs, http, dir: clone, url, ref: 'main', singleBranch: true })
step('fetches', fetched.fetchHead === second, JSON.stringify(fetched))
let refusal = ''
try {
  refusal = JSON.stringify(await push('refs/heads/main/below'))
} catch (error) {
  refusal = String(error) + JSON.stringify(error.data ?? '')
}
step('is told why a push is refused', refusal.includes('cannot exist beside'), refusal)
fs.rmSync(place, { recursive: true })
process.exit(failed ? 1 : 0)
