// Prints what the panels of deploy/grafana/assay.json show now, for a machine without Grafana:
//   node deploy/one-machine/dashboard.js [ROW…]
// Words choose rows, such as Books. PROMETHEUS_URL names the server that is asked.
import { readFileSync } from 'node:fs'

const { PROMETHEUS_URL = 'http://127.0.0.1:9099' } = process.env
const wanted = process.argv.slice(2)
const file = new URL('../grafana/assay.json', import.meta.url)
const { panels } = JSON.parse(readFileSync(file, 'utf8'))

let isWanted = true
for (const { type, title, targets = [] } of panels) {
  if (type === 'row') isWanted = wanted.length === 0 || wanted.includes(title)
  if (!isWanted) continue
  if (type === 'row') console.log(title)
  else for (const target of targets) await print(title, target)
}

/** A line for each series: its name as Grafana's legend has it, and its last value. */
async function print(title, { expr, legendFormat }) {
  const url = `${PROMETHEUS_URL}/api/v1/query?query=${encodeURIComponent(expr)}`
  const { data, error } = await (await fetch(url)).json()
  if (error) throw new Error(`${title}: ${error}`)
  if (data.result.length === 0) console.log(`  ${title}: no data`)
  for (const { metric, value } of data.result) {
    const legend = legendFormat.replace(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? '').trim()
    console.log(`  ${title}${legend && ` (${legend})`}: ${rounded(value[1])}`)
  }
}

/** Quantiles of nothing are no numbers. */
function rounded(text) {
  const value = Number(text)
  return Number.isNaN(value) ? 'nothing happened' : String(Number(value.toPrecision(3)))
}
