// What `npm run dev` starts anew after each change.
await import('./build.js')
await import('./dist/gateway.js')
