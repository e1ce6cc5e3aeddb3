/** The page: authenticates with the token of its address, then shows the views. */
import { createRoot } from "react-dom/client";
import { api, enter, Refused } from "./api.js";
import { App } from "./app.js";
import "./style.css";

const root = createRoot(document.getElementById("app")!);

try {
  await enter();
  const project = await api.project();
  document.title = `${project.file}: Everypath`;
  root.render(<App project={project} />);
} catch (error) {
  root.render(
    <NotLetIn
      message={error instanceof Error ? error.message : String(error)}
      status={error instanceof Refused ? error.status : 0}
    />,
  );
}

function NotLetIn({ message, status }: { readonly message: string; readonly status: number }) {
  return (
    <main className="alone">
      <h1>{status === 0 ? "The explorer does not answer" : "This page is not let in"}</h1>
      <p>{message}</p>
      <p>
        Run <code>everypath explore FILE</code> again, and open the address that it prints.
      </p>
    </main>
  );
}
