"""What the audit log says of an upload: what it kept, and what it changed of runs that were there."""

from collections.abc import Sequence

from db import projects
from db.audit import Action, runs
from db.records import Saved
from db.transactions import Act


def write(act: Act, saved: Sequence[Saved], project: str | None) -> None:
    """Log an upload, the runs that it restored and tagged, and those whose log's lines it added."""
    there = sum(not run.new for run in saved)
    observed = [run.id for run in saved if run.observed]
    detail = [
        projects.detail(project),
        f"{there:,} there already" if there else "",
        f"lines added to {runs(observed)}" if observed else "",
    ]
    act.log(Action.UPLOAD, runs([run.id for run in saved]), "; ".join(filter(None, detail)))
    if restored := [run.id for run in saved if run.restored]:
        act.log(Action.RESTORE_RUN, runs(restored), "by an upload")
    if tagged := [run.id for run in saved if run.tagged]:
        act.log(Action.CHANGE_NOTE, runs(tagged), "tags of an upload")
