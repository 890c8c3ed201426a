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
