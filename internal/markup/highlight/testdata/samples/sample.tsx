import React, { useState } from 'react';

// A component: it's got "quotes"
interface Props { title: string; onClose?: () => void }

export const Dialog: React.FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = useState(false);
  const ratio = width / 2;
  /* block */
  if (!open && ratio < 3) {
    return null;
  }
  return (
    <div className="dialog" id='main' data-open={open}>
      <h1 className={`title ${open ? 'is-open' : ""}`}>{title}</h1>
      <input type="text" value={title} disabled />
      <button onClick={() => setOpen(!open)}>
        Close
      </button>
      {items.map((item) => (
        <li key={item.id} style={{ color: 'red', width: 10 }}>
          {item.name}
        </li>
      ))}
      {open && <span>open</span>}
      <>
        <Foo.Bar {...props} render={() => <b>bold</b>} />
      </>
    </div>
  );
};

export default function App() {
  const x = a < b ? 1 : 2;
  return <Dialog title="hello // not a comment" />;
}


type Row<T> = { key: string; cells: T[] };

// The table's rows: "sorted", and cut where there are too many.
export function Table<T extends object>({ rows, limit = 20, onPick, children }: TableProps<T>): JSX.Element {
  const [query, setQuery] = useState<string>("");
  const shown = useMemo(() => rows.filter((row) => /^[a-z/"']+$/i.test(row.key) || row.key.includes(query)), [rows, query]);
  useEffect(() => {
    const timer = setTimeout(() => log(`shown ${shown.length} of ${rows.length} // not a comment`), 1000);
    return () => clearTimeout(timer);
  }, [shown]);

  if (rows.length === 0) return <p className='empty'>There is "nothing" here &mdash; yet.</p>;
  return (
    <section aria-label="table" {...rest}>
      {/* a comment in an element, it's "fine" */}
      <input value={query} onChange={(e: React.ChangeEvent<HTMLInputElement>) => setQuery(e.target.value)} />
      <table>
        <tbody>
          {shown.slice(0, limit).map((row, i) => (
            <tr key={row.key} className={i % 2 ? "odd" : 'even'} onClick={() => onPick?.(row)}>
              {row.cells.map((cell) => <td>{String(cell)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > limit && <footer>and {shown.length - limit} more // as text</footer>}
      {children}
    </section>
  );
}

const Note = ({ text = "none" }: { text?: string }) => (
  <aside id='note' role="note">
    <b>{text.toUpperCase()}</b> {text === "none" ? null : <i title={`it's ${text}`}>{text.split(/\s*,\s*/)[0]}</i>}
  </aside>
);


export const Login = () => {
  const [name, setName] = useState("");
  const [error, setError] = useState("");

  // Asks the server, and says what it answers.
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") {
      setError("Please type your name.");
      return;
    }
    try {
      await login(name.trim());
    } catch (cause) {
      setError("The server did not answer, please try again.");
      console.error("login failed", cause);
    }
  };

  return (
    <form className="login" onSubmit={submit} noValidate>
      <label htmlFor="name">Name</label>
      <input id="name" type="text" autoFocus value={name} onChange={(e) => setName(e.target.value)} />
      {error !== "" && <p role="alert" className="login-error">{error}</p>}
      <button type="submit" className="button primary" disabled={name === ""}>Log in</button>
    </form>
  );
};

function Last() {
  return <p>It's the last "text"</p>;
}
