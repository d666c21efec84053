import { Button, Dialog } from '../ui/parts.tsx'
import { JUMPS } from './keyboard.ts'

const KEYS: readonly [string, string][] = [
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['X', 'Select the rows from the last one'],
  ['Ctrl K', 'Find an artifact, execution, event or page'],
  ['z', 'Undo, while a message offers it'],
  ['/', 'Search'],
  ['Esc', 'Leave a field, close a dialog'],
  ...Object.entries(JUMPS).map(([key, { name }]): [string, string] => [`g ${key}`, name]),
  ['?', 'This list'],
]

export const Help = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl className="keys">
      {KEYS.map(([keys, meaning]) => (
        <div key={keys} style={{ display: 'contents' }}>
          <dt className="row tight">
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog" className="ends">
      <Button type="submit">Close</Button>
    </form>
  </Dialog>
)
