import {
  type ButtonHTMLAttributes,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon?: IconName
  look?: 'primary' | 'danger' | 'plain'
  small?: boolean
}

export const Button = ({ icon, look, small, children, className = '', ...others }: ButtonProps) => (
  <button
    type="button"
    className={`button ${look ?? ''} ${small ? 'small' : ''} ${className}`}
    {...others}
  >
    {icon && <Icon name={icon} size={14} />}
    {children}
  </button>
)

interface PageProps {
  title: string
  /** The pages above it. */
  crumbs?: ReactNode
  /** Beside the title. */
  beside?: ReactNode
  actions?: ReactNode
  /** True if its list, and not the page, scrolls. */
  full?: boolean
  children: ReactNode
}

/** True if the heading that had the focus has gone. */
let isFocusLeft = false

/** Hands the focus to the heading of the next page, as pages replace theirs while they load. */
function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const own = heading.current
    if (isFocusLeft) own?.focus({ preventScroll: true })
    isFocusLeft = false
    return () => {
      isFocusLeft = document.activeElement === own
    }
  }, [])
  return heading
}

/** A page: its title is the heading and the name of the browser's tab. */
export function Page({ title, crumbs, beside, actions, full = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  const heading = useHeading()
  return (
    <div className={`page ${full ? 'full' : ''}`}>
      <header className="head">
        <div className="titles">
          {crumbs && <div className="crumbs">{crumbs}</div>}
          <div className="row">
            <h1 ref={heading} tabIndex={-1} dir="auto">
              {title}
            </h1>
            {beside}
          </div>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export const Card = ({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) => (
  <section className="card">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
)

/** Text for an empty place, with a hint what to do about it. */
export const Empty = ({
  icon,
  title,
  children,
}: {
  icon: IconName
  title: string
  children?: ReactNode
}) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
)

interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
}

/** A modal dialog: the browser keeps the focus inside, Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const own = dialog.current
    own?.showModal()
    // Closed, it gives the focus back; removed alone, it does not.
    return () => own?.close()
  }, [])
  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-labelledby="dialog-title">
      <div>
        <h2 id="dialog-title">{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="faint">{name}</dt>
    <dd>{children}</dd>
  </div>
)
