import React, { useEffect, useReducer } from 'react';
import { Link } from "./router";

// A list of tasks: it's "sorted", and kept by the server.
const initial = { tasks: [], filter: 'all', error: null };

function reducer(state, action) {
  switch (action.type) {
    case 'loaded':
      return { ...state, tasks: action.tasks, error: null };
    case 'toggled':
      return {
        ...state,
        tasks: state.tasks.map((task) => (task.id === action.id ? { ...task, done: !task.done } : task)),
      };
    case 'failed':
      return { ...state, error: action.error };
    default:
      throw new Error(`unknown action "${action.type}"`);
  }
}

/* One row: a box, a title, what is left of its time. */
function Task({ task, onToggle, now = Date.now() }) {
  const left = (task.due - now) / 1000 / 60;
  const late = left < 0 && !task.done;
  return (
    <li className={late ? 'task late' : "task"} data-id={task.id}>
      <input type="checkbox" checked={task.done} onChange={() => onToggle(task.id)} />
      <Link to={`/tasks/${encodeURIComponent(task.id)}`} title={task.title.replace(/"/g, '&quot;')}>
        {task.title}
      </Link>
      {late ? <em>late</em> : <small>{Math.round(left)} minutes</small>}
    </li>
  );
}

export function Tasks({ user, children, ...rest }) {
  const [state, dispatch] = useReducer(reducer, initial);

  useEffect(() => {
    const controller = new AbortController();
    fetch(`/api/users/${user.id}/tasks`, { signal: controller.signal })
      .then((response) => response.json())
      .then((tasks) => dispatch({ type: 'loaded', tasks }))
      .catch((error) => dispatch({ type: 'failed', error: error.message || "unknown" }));
    return () => controller.abort();
  }, [user.id]);

  const shown = state.tasks.filter((task) => state.filter === 'all' || task.done === (state.filter === 'done'));
  return (
    <>
      <h1>Tasks of {user.name}</h1>
      {/* an error is shown above the list */}
      {state.error && <p role="alert">Not loaded: {state.error}</p>}
      <ul {...rest} aria-label="tasks">
        {shown.map((task) => (
          <Task key={task.id} task={task} onToggle={(id) => dispatch({ type: 'toggled', id })} />
        ))}
      </ul>
      {shown.length === 0 && <p>Nothing to do.</p>}
      {children}
    </>
  );
}

Tasks.defaultProps = { user: { id: 0, name: 'nobody' } };

export const Empty = () => <p className="empty">It's empty.</p>;
