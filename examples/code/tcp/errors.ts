/**
 * Switchable errors: errors that were found in a kernel's TCP by comparing it with a model of the standard
 * (M. Musuvathi and D. Engler, Model checking large network protocol implementations), and two leaks.
 */
export const catalogue = {
  T1: "half-open: a segment without ACK is ignored before anybody looks for RST; the connection stays",
  T2: "established: a repeated SYN+ACK is not tested for its place, and its acknowledgment opens the window",
  T3: "half-open: closing drops the connection without a word",
  T4: "closed by the application: data has its acknowledgment processed, and a burst is sent, before the reset",
  LEAK_TIMER: "the timer of a connection that was reset stays",
  LEAK_LISTENER: "the handler of a connection that has ended stays registered",
} as const;

export type TcpError = keyof typeof catalogue;
