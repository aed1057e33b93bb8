"""Access: tokens shown once, projects with their members, people, and the log of who did what."""

import json
import shutil
import time

import pytest

from db.people import THIS_MACHINE, Person, Role
from db.store import Store
from pages.http.sign_in.session import Session
from tests.db.examples import simple

ADMINS = "root@example.com"


@pytest.fixture
def kept(tmp_path, prepared_file):
    """The store that the pages show."""
    shutil.copy(prepared_file, tmp_path)
    made = Store(f"sqlite:///{tmp_path / 'wirespeed.db'}")
    made.prepare()
    yield made
    made.close()


@pytest.fixture
def sign_in(monkeypatch):
    """A server with sign-in, and whoever is signed in to it."""

    def signed_in(person):
        monkeypatch.setenv("WIRESPEED_OIDC_ISSUER", "https://id.example.com")
        monkeypatch.setenv("WIRESPEED_ADMINS", ADMINS)
        monkeypatch.setenv("WIRESPEED_UPLOADERS", "ada@example.com, eve@example.com")
        monkeypatch.setenv("WIRESPEED_VIEWERS", "@example.org")
        session = Session(person.name, person.groups, time.time() + 1e6)
        monkeypatch.setattr("pages.ui.shared.person._session", lambda: session)

    return signed_in


def projects_of(app):
    """The column of projects in the list of stored runs."""
    return next(list(frame.value["project"]) for frame in app.dataframe if "project" in frame.value)


def press(app, key):
    """Click the button of that key."""
    app.button(key=key).click()
    return app.run()


def test_a_token_is_shown_once_and_works_until_it_is_revoked(visit, kept):
    """Made with a name, copied, put away, listed without its text; taken back once chosen and confirmed."""
    app = visit("access")
    app.text_input(key="_token_name").set_value("CI").run()
    press(app, "_token_make")

    text = app.code[0].value
    assert kept.tokens.bearer(text) == Person(THIS_MACHINE.name, Role.UPLOADER, token="CI")  # noqa: S106
    press(app, "_token_copied")
    assert text not in [code.value for code in app.code]
    (row,) = app.dataframe[0].value.to_dict("records")
    assert (row["name"], row["owner"], row["scope"]) == ("CI", "this machine", "upload")

    chosen, offered = app.selectbox(key="_token_chosen"), lambda: [button.key for button in app.button]
    assert chosen.value is None
    assert "_token_revoke" not in offered()
    chosen.select_index(0).run()
    press(app, "_token_keep")
    assert "_token_revoke" not in offered()
    app.selectbox(key="_token_chosen").select_index(0).run()
    assert "cannot be brought back" in app.container(key="token_confirm").markdown[0].value
    press(app, "_token_revoke")
    assert kept.tokens.bearer(text) is None
    assert "revoked" in app.dataframe[0].value["state"][0]


def test_an_admin_makes_a_project_and_runs_are_listed_by_it(visit, kept):
    """Its name stands in the filter of Measurements, in the address, and at every save."""
    app = visit("access", section="Projects")
    app.text_input(key="_project_name").set_value("alpha").run()
    app.text_area(key="_project_members").set_value("ada@example.com\ngroup:lab").run()
    press(app, "_project_make")
    (project,) = kept.projects.listed()
    assert (project.name, project.members) == ("alpha", ("ada@example.com", "group:lab"))

    kept.save([simple(1)], project="alpha")
    kept.save([simple(2)])
    assert projects_of(visit("measurements", project="alpha")) == ["alpha"]
    assert projects_of(visit("measurements")) == ["", "alpha"]


def test_what_a_project_cannot_be_is_said(visit, kept):
    """A member that is none, a name that is taken: one line, nothing kept."""
    kept.projects.make("alpha", ["ada@example.com"])
    app = visit("access", section="Projects")
    project_id = kept.projects.listed()[0].id
    app.text_area(key=f"_project_members {project_id}").set_value("ada").run()
    press(app, "_project_save")

    assert "Members: " in app.error[0].value
    assert kept.projects.listed()[0].members == ("ada@example.com",)


def test_a_refused_name_is_told_below_its_field(visit, kept):
    """Not at the top of the page, far above the form: inside the form, and once."""
    kept.projects.make("alpha", [])
    app = visit("access", section="Projects")
    app.text_input(key="_project_name").set_value("alpha").run()
    press(app, "_project_make")

    (form,) = (part for part in app.expander if part.label == "New project")
    assert [box.value for box in form.error] == ["Name: there is a project 'alpha' already"]
    assert len(app.error) == 1
    assert not app.run().error


def test_the_audit_log_says_who_did_what(visit, kept):
    """Filtered by who, what and on which; an admin takes it away as CSV."""
    ada = kept.seen_by(Person("ada@example.com", Role.UPLOADER))
    (run,) = ada.save([simple(1)])
    ada.annotate(run.id, note="=1+1")
    kept.delete(run.id)
    app = visit("access", section="Audit log", actor="ADA", subject=f"run {run.id}")

    assert list(app.dataframe[0].value["action"]) == ["change note", "upload"]
    app.selectbox(key="action").set_value("delete run").run()
    assert "no such entry" in app.info[0].value


def test_a_viewer_sees_their_own_tokens_and_projects_alone(visit, kept, sign_in):
    """No section for admins, no scope above the role, nobody else's token."""
    kept.projects.make("alpha", ["@example.org"])
    kept.projects.make("beta", ["eve@example.com"])
    kept.seen_by(Person(ADMINS, Role.ADMIN)).tokens.make("root's", "admin")
    sign_in(Person("vic@example.org", Role.VIEWER))
    app = visit("access", section="Projects")

    assert list(app.dataframe[0].value["project"]) == ["alpha"]
    assert not app.button or "_project_make" not in {button.key for button in app.button}
    app = visit("access", section="Audit log")
    assert app.selectbox(key="_token_scope").options == ["read"]
    assert not app.dataframe


def test_people_are_listed_with_the_role_of_today(visit, kept, sign_in):
    """The role that the settings give now, not that of the last sign-in."""
    kept.seen_by(Person("ada@example.com", Role.ADMIN, frozenset({"lab"}))).people.signed_in()
    kept.seen_by(Person("gone@example.net", Role.ADMIN)).people.signed_in()
    sign_in(Person(ADMINS, Role.ADMIN))
    people = visit("access", section="People").dataframe[0].value

    assert dict(zip(people["name"], people["role today"], strict=True)) == {
        "ada@example.com": "uploader",
        "gone@example.net": "none",
    }


def test_moments_are_told_to_the_minute(visit, kept):
    """When a project was made and when somebody signed in: a date for people, not a machine's text."""
    kept.projects.make("alpha", [])
    kept.seen_by(Person("ada@example.com", Role.UPLOADER)).people.signed_in()
    for section, columns in (("Projects", {"made"}), ("People", {"first sign-in", "last sign-in"})):
        table = visit("access", section=section).dataframe[0].proto
        chosen = json.loads(table.columns)
        told = {name for name in chosen if "YYYY" in json.dumps(chosen[name])}
        assert told == columns
