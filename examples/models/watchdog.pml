/* expected: holds, 93 states */

/*
 * `unless`: a job works in steps; a watchdog may ring at any time and interrupts the job at any
 * step. `d_step` makes bookkeeping one indivisible step, and a `typedef` groups its data.
 */

typedef Progress {
  byte done;
  byte left
};

Progress progress;
bool alarm, stopped;

active proctype Job() {
  progress.left = 3;
  {
    do
    :: progress.left > 0 ->
       d_step { progress.done++; progress.left-- }
    :: progress.left == 0 -> break
    od
  } unless {
    alarm -> stopped = true
  };
  assert(progress.done + progress.left == 3);
  assert(stopped || progress.done == 3)
}

active proctype Watchdog() {
  if
  :: alarm = true
  :: skip /* never rings */
  fi
}
