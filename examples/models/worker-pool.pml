/* expected: holds, 271 states */

/*
 * Processes created while the model runs, and channels that are sent in messages. A boss starts a worker for
 * each task and passes it a channel for the answer; a worker ends when it has answered.
 *
 * `_nr_pr` is the number of processes alive: when it is 1 again, all workers are gone.
 */

#define TASKS 3

byte sum;

proctype Worker(byte task; chan answer) {
  answer!task, task * task
}

init {
  chan answers = [TASKS] of { byte, byte };
  byte task, result;

  for (task : 1 .. TASKS) {
    run Worker(task, answers)
  }
  _nr_pr == 1;

  do
  :: answers?task, result -> sum = sum + result
  :: empty(answers) -> break
  od;
  assert(sum == 1 + 4 + 9)
}
