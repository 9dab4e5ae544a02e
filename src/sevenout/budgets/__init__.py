"""Budgets: the most time and memory that one step of a computation may take.

A step is refused before it begins, or ended while it runs:

- `estimates`: an expensive function says what it would take, and `afford` refuses what is over the
  budget of the calling context, before any work is done.
- `enforcement`: a thread ends a step of its own process that exceeds the budget.
- `supervision`: a command runs in a child process. Its parent checks it a few times a second and
  ends it, since no thread can run while a long call into C holds the interpreter.
"""
