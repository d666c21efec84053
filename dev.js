// What `npm run dev` starts anew after each change: builds, then serves.
import { spawnSync } from 'node:child_process'

const { status } = spawnSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
await import('./dist/gateway/main.js')
