/** Limits of one component process. Every limit has its name and its default here and nowhere else. */
export interface SandboxLimits {
  /** Until the process answers and the component's module is evaluated. */
  loadMs: number
  /** Heap of the JavaScript engine (MiB). */
  heapMebibytes: number
  /** Resident memory of the whole process, Buffers included (MiB); watched every `watchMs`. */
  residentMebibytes: number
  /** Writable memory the kernel grants (MiB), for what grows faster than the watch looks; the engine alone reserves 600. */
  dataMebibytes: number
  /** Processor time over all steps of a scenario. */
  cpuSeconds: number
  watchMs: number
  openFiles: number
  /** The runtime itself has about a dozen. Each counts as a process to the kernel. */
  threads: number
  /** Maximum size of a file, though there is no folder to write one to. */
  fileBytes: number
  /** Source text of a component. */
  sourceBytes: number
  /** A list of arguments, or a result, as JSON. */
  messageBytes: number
  /** All log messages of a scenario, as JSON: an escaped character counts with its escape. */
  outputBytes: number
  /** Time for SIGKILL to take effect before the process is given up. */
  killMs: number
  /** Time for a process to end a run before it is killed instead of kept. */
  endMs: number
  /** Runs of one process. */
  reuseRuns: number
  /** Time that a process waits for its next run. */
  reuseIdleMs: number
  /** Processes that wait for their next run at a time. */
  reuseProcesses: number
  /** Resident memory and processor time over all runs of a process that may have another one. */
  reuseMebibytes: number
  reuseCpuSeconds: number
}

export const DEFAULT_LIMITS: SandboxLimits = {
  loadMs: 30_000, // as a step has: a machine under load takes its time to start a process
  heapMebibytes: 128,
  residentMebibytes: 320,
  dataMebibytes: 1_280,
  cpuSeconds: 60,
  watchMs: 50,
  openFiles: 64,
  threads: 32,
  fileBytes: 1024 * 1024,
  sourceBytes: 256 * 1024,
  messageBytes: 1024 * 1024,
  outputBytes: 1024 * 1024,
  killMs: 2_000,
  endMs: 500,
  reuseRuns: 200,
  reuseIdleMs: 5_000,
  reuseProcesses: 4,
  reuseMebibytes: 160,
  // With the time of the last run less than what the kernel grants a process.
  reuseCpuSeconds: 4,
}

/** Limits of one program of a `command` step, with everything that it starts. Generous: it may be a browser or a build. */
export interface ProgramLimits {
  /** Processes and threads at a time. */
  processes: number
  /** Memory of all its processes together (MiB), and of its own /dev/shm; watched ten times a second. */
  memoryMebibytes: number
  /** Open files of each process. */
  openFiles: number
  /** Maximum size of a file (MiB). */
  fileMebibytes: number
}

export const DEFAULT_PROGRAM_LIMITS: ProgramLimits = {
  processes: 1_024,
  memoryMebibytes: 4_096,
  openFiles: 4_096,
  fileMebibytes: 4_096,
}

/** Size of log text that counts against `outputBytes`: each line also costs its time, level and source, so empty ones are not free. */
export const sizeOfLog = (text: string) =>
  Buffer.byteLength(text) + 40 * text.split(/\r\n|\r|\n/).length
